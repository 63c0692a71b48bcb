# frozen_string_literal: true

ActiveRecord::Schema.define do
  create_table :users, force: :cascade do |table|
    table.string :name, null: false, index: { unique: true }
  end
  # The hash of each access token.
  create_table :access_tokens, force: :cascade do |table|
    table.references :user, null: false
    table.string :digest, null: false, index: { unique: true }
  end
  # The row of each device token and account, as text.
  create_table :devices, force: :cascade do |table|
    table.references :user, null: false
    table.string :token, null: false
    table.text :row, null: false
    table.index %i[user_id token], unique: true
  end
end
