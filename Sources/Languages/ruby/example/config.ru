# frozen_string_literal: true

# A server with Rails that registers devices, and seals messages for them in a job.
#
#     bin/rails runner 'load "db/schema.rb"; AccessToken.issue("anna", "a long random text")'
#     KEYRING=server.jwks bundle exec puma -p 8080
#
# POST /devices and POST /messages have the header `Authorization: Bearer TOKEN`.

require_relative "config/environment"

run Rails.application
