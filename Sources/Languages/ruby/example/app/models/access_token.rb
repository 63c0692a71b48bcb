# frozen_string_literal: true

class AccessToken < ApplicationRecord
  belongs_to :user

  def self.hash_of(text)
    Digest::SHA256.hexdigest(text)
  end

  def self.issue(name, text)
    create!(user: User.find_or_create_by!(name: name), digest: hash_of(text))
  end
end
