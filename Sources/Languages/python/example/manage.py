#!/usr/bin/env python3
"""A server with Django that registers devices, and a job that seals messages for them.

    python manage.py migrate --run-syncdb
    python manage.py shell -c "from push.models import AccessToken; AccessToken.issue('anna', 'a long random text')"
    python manage.py runserver          # POST /devices and POST /messages, with the bearer token
    python manage.py seal_messages      # the job; run it by a timer
"""

import os
import sys

from django.core.management import execute_from_command_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "push.settings")
execute_from_command_line(sys.argv)
