# frozen_string_literal: true

module PushCrypt
  # The rules of carriers for the pushes that they take.
  module Carriers
    MESSAGES = %w[alert background].freeze
    # The bytes for the carrier's own members, the characters of the longest sealed value, and what it takes.
    APNS = {
      types: nil, reserve: 0, longest_value: Float::INFINITY, exposable: PayloadRules::EXPOSABLE_KEYS, aps: true,
      sound_members: true, string_keys: true, requires_body: false, collapse_id: true
    }.freeze
    RULES = {
      "firebase" => APNS.merge(types: MESSAGES, reserve: 256),
      "firebase-android" => APNS.merge(types: MESSAGES, exposable: [], aps: false),
      "expo" => APNS.merge(
        types: MESSAGES, reserve: 512, exposable: %w[category sound badge interruption-level content-available],
        string_keys: false, collapse_id: false
      ),
      "onesignal" => APNS.merge(
        types: MESSAGES, reserve: 512, longest_value: 2048 - '{"ENCRYPTED_DATA":""}'.length,
        exposable: PayloadRules::EXPOSABLE_KEYS - %w[filter-criteria],
        sound_members: false, string_keys: false, requires_body: true
      )
    }.freeze
    private_constant :MESSAGES, :APNS, :RULES

    module_function

    # Returns the rules of a carrier: those of APNs for an unknown name, such as a relay of your own.
    def rules(carrier)
      RULES.fetch(carrier, APNS)
    end

    # Returns whether the payload has aps, because the device is Apple's.
    def aps?(carrier)
      rules(carrier)[:aps]
    end

    # Returns whether a push can have a collapse id.
    def collapse_id?(carrier)
      rules(carrier)[:collapse_id]
    end

    # Returns the number of characters for the sealed value beside the readable bytes of a payload.
    def room(carrier, type, readable)
      left = PayloadRules::PUSH_TYPES[type][1] - rules(carrier)[:reserve] - readable
      [left, rules(carrier)[:longest_value]].min
    end

    # Raises an error if the carrier can't take the push type.
    def check_type(carrier, type)
      types = rules(carrier)[:types]
      return if types.nil? || types.include?(type)

      raise Error.new("not-sealable", "#{carrier} takes no sealed #{type} pushes. Send them to APNs.")
    end

    # Raises an error if the carrier has no collapse id, and there is one.
    def check_collapse_id(carrier, collapse_id)
      return if collapse_id.nil? || collapse_id?(carrier)

      raise Error.new("invalid-header", "#{carrier} has no collapse id. Omit it.")
    end

    # Raises an error if the carrier's request has no member for a readable part of an alert.
    def check_alert(carrier, exposed, sound, placeholder)
      rule = rules(carrier)
      unknown = (exposed - rule[:exposable]).first
      PayloadRules.invalid("#{carrier} has no member for #{unknown}. Do not expose it.") if unknown
      if exposed.include?("sound") && sound&.value.is_a?(Hash) && !rule[:sound_members]
        PayloadRules.invalid("#{carrier} takes a sound's name only. Do not expose the sound.")
      end
      check_placeholder(carrier, placeholder) if rule[:aps]
    end

    def check_placeholder(carrier, placeholder)
      if !rules(carrier)[:string_keys] && placeholder.keys.any? { |name| name.include?("loc-") }
        raise Error.new("invalid-placeholder", "#{carrier} takes no keys of the app's string table. Use text.")
      end
      return if !rules(carrier)[:requires_body] || !placeholder["body"].to_s.empty?

      raise Error.new("invalid-placeholder", "#{carrier} requires a body. Add it to the placeholder.")
    end
  end
end
