"""The job: seals each message for the devices of its user, and hands the pushes to send()."""

import json

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from pushcrypt import PushCryptError, Row, Sealer, SigningKeyring

from push.models import Device, Message


class Command(BaseCommand):
    help = __doc__

    def handle(self, *_, **__):
        sealer = Sealer.signed(SigningKeyring.read(settings.KEYRING))
        for message in Message.objects.order_by("pk"):
            with transaction.atomic():
                self.seal(message, sealer)
                message.delete()

    def seal(self, message, sealer):
        for device in Device.objects.filter(user=message.user):
            try:
                push = sealer.seal(message.payload, Row.parse(device.row), topic=settings.TOPIC)
            except PushCryptError as error:  # Never send the payload itself.
                self.stderr.write(f"device {device.pk}: {error}")
                continue
            self.send(device.token, push)

    def send(self, token, push):
        """Replace this by your client of APNs, which posts the payload with the headers to /3/device/TOKEN."""
        line = {"token": token, "payload": push.payload.decode(), "headers": push.headers}
        self.stdout.write(json.dumps(line, ensure_ascii=False))
