# frozen_string_literal: true

Rails.application.routes.draw do
  post "devices", to: "devices#create"
  post "messages", to: "messages#create"
end
