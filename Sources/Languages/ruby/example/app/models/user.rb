# frozen_string_literal: true

class User < ApplicationRecord
  has_many :devices

  # Stores the row of a registration, or raises an error and keeps the known one. Returns the row.
  def register(registration, token)
    token = PushCrypt::Registration.device_token(token)
    with_lock do # Requests of one account wait for each other.
      rows = devices.to_h { |device| [device.token, PushCrypt::Row.parse(device.row)] }
      known = rows.delete(token)
      row = PushCrypt::Row.accept(registration, token, account: name, known: known, others: rows.values)
      devices.find_or_initialize_by(token: row.device_token).update!(row: row.json)
      row
    end
  end
end
