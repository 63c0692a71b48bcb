# frozen_string_literal: true

# Seals a message for the devices of its user.
class SealJob < ActiveJob::Base
  def perform(user, payload)
    settings = Rails.configuration
    sealer = PushCrypt::Sealer.signed(PushCrypt::SigningKeyring.read(settings.keyring))
    user.devices.each do |device|
      push = sealer.seal(payload, PushCrypt::Row.parse(device.row), topic: settings.topic)
      deliver(device.token, push)
    rescue PushCrypt::Error => error # Never send the payload itself.
      logger.error("device #{device.id}: #{error.message}")
    end
  end

  private

  # Replace this by your client of APNs, which posts the payload with the headers to /3/device/TOKEN.
  def deliver(token, push)
    $stdout.puts JSON.generate(token: token, payload: push.payload, headers: push.headers)
    $stdout.flush
  end
end
