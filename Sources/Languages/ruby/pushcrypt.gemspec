# frozen_string_literal: true

require_relative "lib/pushcrypt/version"

Gem::Specification.new do |spec|
  spec.name = "pushcrypt"
  spec.version = PushCrypt::VERSION
  spec.summary = "Seals APNs payloads for one device"
  spec.authors = ["PushCrypt"]
  spec.files = Dir.chdir(__dir__) { Dir["lib/**/*.rb"] + Dir["exe/*"] + Dir["*.md"] + Dir["vectors.jsonl"] }
  spec.bindir = "exe"
  spec.executables = ["pushcrypt-check"]
  spec.required_ruby_version = ">= 3.0"
  spec.add_dependency "rbnacl", "~> 7.1"
end
