"""Settings from the environment. KEYRING is the path of the server's keyring file."""

import os
import secrets

SECRET_KEY = os.environ.get("SECRET_KEY") or secrets.token_urlsafe(50)
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "push.urls"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "push"]
AUTHENTICATION_BACKENDS = ["push.access.BearerTokens"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ.get("DATABASE", "example.sqlite")}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
KEYRING = os.environ.get("KEYRING", "server.jwks")
TOPIC = "com.example.app"
