# frozen_string_literal: true

class ApplicationController < ActionController::API
  include ActionController::HttpAuthentication::Token::ControllerMethods

  before_action :authenticate

  private

  def authenticate
    authenticate_or_request_with_http_token do |text, _|
      @user = AccessToken.find_by(digest: AccessToken.hash_of(text))&.user
    end
  end
end
