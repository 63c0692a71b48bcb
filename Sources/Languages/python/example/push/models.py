"""The tables of devices and messages."""

import hashlib

from django.contrib.auth.models import User
from django.db import models


class AccessToken(models.Model):
    """A user's access token, of which the database has the hash only."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    digest = models.CharField(max_length=64, unique=True)

    @staticmethod
    def hash(text):
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def issue(cls, name, text):
        user, _ = User.objects.get_or_create(username=name)
        cls.objects.create(user=user, digest=cls.hash(text))


class Device(models.Model):
    """The row of a device token and account, as the text of Row.json."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    token = models.CharField(max_length=400)
    row = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "token"], name="one_row")]


class Message(models.Model):
    """A payload for all devices of a user, until it is sealed."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    payload = models.TextField()
