"""The requests that the server answers."""

import json

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pushcrypt import PushCryptError, Row, accepted_row, device_token

from .models import Device, Message


def signed_in(view):
    """Returns a view for users with an access token. It has no cookie that another site could use."""
    @csrf_exempt
    @require_POST
    def checked(request):
        user = authenticate(request)
        return HttpResponse(status=401) if user is None else view(request, user)
    return checked


@signed_in
def register(request, user):
    """Stores the row of a device: {"registration": "…", "token": "…"}."""
    try:
        body = json.loads(request.body)
        text, token = body["registration"], device_token(body["token"])
        row = store(user, text, token)
    except PushCryptError as error:
        if error.code == "stale-generation":
            return JsonResponse({"generation": error.generation}, status=409)
        return JsonResponse({"code": error.code}, status=400)
    except (ValueError, KeyError, TypeError, AttributeError):
        return JsonResponse({"code": "malformed-registration"}, status=400)
    return JsonResponse({"lists": [], "token": row.device_token})


@transaction.atomic
def store(user, text, token):
    User.objects.select_for_update().get(pk=user.pk)  # Requests of one account wait for each other.
    rows = {device.token: Row.parse(device.row) for device in Device.objects.filter(user=user)}
    known = rows.pop(token, None)
    row = accepted_row(text, token, user.username, known, rows.values())
    Device.objects.update_or_create(user=user, token=row.device_token, defaults={"row": row.json})
    return row


@signed_in
def post_message(request, user):
    """Stores a payload for the user's devices, which the job seals."""
    try:
        payload = request.body.decode()
    except UnicodeDecodeError:
        return HttpResponse(status=400)
    Message.objects.create(user=user, payload=payload)
    return HttpResponse(status=202)
