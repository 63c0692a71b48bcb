# frozen_string_literal: true

module PushCrypt
  VERSION = "0.1.0"
end
