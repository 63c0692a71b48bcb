from django.urls import path

from . import views

urlpatterns = [path("devices", views.register), path("messages", views.post_message)]
