# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "pushcrypt"
  spec.version = "0.1.0"
  spec.summary = "Seals APNs payloads for one device"
  spec.authors = ["PushCrypt"]
  spec.files = Dir["lib/**/*.rb"] + ["README.md"]
  spec.required_ruby_version = ">= 3.0"
  spec.add_dependency "rbnacl", "~> 7.1"
end
