# frozen_string_literal: true

# Answers requests of Tests/Interop/run with the Ruby library in the directory that is the argument.

require "json"
require "pp"
require_relative "#{File.expand_path(ARGV[0])}/lib/pushcrypt/check"

Check = PushCrypt::Check
Check::Fixed.install

def carrier_seal(request)
  Check::Fixed.set((Time.now.to_f * 1000).to_i, "\0".b * 16, "\x01".b * 32)
  names = { "type" => :type, "topic" => :topic, "collapse_id" => :collapse_id, "priority" => :priority }
  options = names.select { |name, _| request.key?(name) }.to_h { |name, keyword| [keyword, request[name]] }
  to = request["row"] ? PushCrypt::Row.parse(request["row"]) : request["to"]
  push = Check.sealer(request).seal(request["payload"], to, **options)
  { payload: push.payload, apns_headers: push.headers, issued_at_ms: push.issued_at, **Check.answered(push, request) }
end

def printed(text)
  key = PushCrypt::SigningKey.parse(text)
  values = [key, PushCrypt::Sealer.signed(key), [key]]
  { texts: values.flat_map { |value| [value.to_s, value.inspect, value.pretty_inspect] } }
end

def other(request)
  case request["do"]
  when "keyring" then { thumbprint: PushCrypt::SigningKeyring.read(request["text"]).key_for(nil).thumbprint }
  when "print" then printed(request["text"])
  when "carrier-seal" then carrier_seal(request)
  end
end

$stdout.sync = true
$stdin.each_line do |line|
  request = JSON.parse(line)
  puts JSON.generate(Check.answer(request) { other(request) })
end
