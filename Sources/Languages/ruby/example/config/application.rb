# frozen_string_literal: true

require "bundler/setup"
require "rails"
require "active_job/railtie"
require "active_record/railtie"
require "action_controller/railtie"
require "pushcrypt"

# The whole application. Your own one has these settings in their usual files.
class ExampleApplication < Rails::Application
  config.load_defaults 6.1
  config.api_only = true
  config.eager_load = true
  config.consider_all_requests_local = false
  config.active_job.queue_adapter = :async # A queue in a database keeps the jobs when the process ends.
  config.logger = ActiveSupport::Logger.new($stderr)
  config.log_level = :warn
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { SecureRandom.hex(64) }
  config.keyring = ENV.fetch("KEYRING", "server.jwks")
  config.topic = "com.example.app"
end
