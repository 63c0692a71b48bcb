# frozen_string_literal: true

# Seals for each request in a line, with the Ruby library in the directory that is the argument. Nothing is fixed.

require "json"
require_relative "#{File.expand_path(ARGV[0])}/lib/pushcrypt"

def sealer(request)
  settings = %w[padding placeholder expose].to_h { |name| [name.to_sym, request[name]] }
  return PushCrypt::Sealer.anonymous(**settings) unless request["keyring"]

  PushCrypt::Sealer.signed(PushCrypt::SigningKeyring.read(request["keyring"]), **settings)
end

def sealed(request)
  push = sealer(request).seal(request["payload"], request["to"], type: request["type"], lifetime: request["lifetime_s"])
  { payload: push.payload, headers: push.headers }
rescue PushCrypt::Error => error
  { fails: error.code, reason: error.reason }
end

$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(sealed(JSON.parse(line))) }
