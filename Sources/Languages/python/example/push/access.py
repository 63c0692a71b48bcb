"""Authentication by the header `Authorization: Bearer …`."""

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import User

from .models import AccessToken


class BearerTokens(BaseBackend):
    def authenticate(self, request, **_):
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer":
            return None
        return User.objects.filter(accesstoken__digest=AccessToken.hash(text), is_active=True).first()
