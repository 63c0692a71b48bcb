# frozen_string_literal: true

class DevicesController < ApplicationController
  rescue_from PushCrypt::Error do |error|
    if error.code == "stale-generation"
      render json: { generation: error.generation }, status: :conflict
    else
      render json: { code: error.code }, status: :bad_request
    end
  end

  # The body is {"registration": "…", "token": "…"}. The registration stays text.
  def create
    row = @user.register(params[:registration].to_s, params[:token].to_s)
    response.date = Time.now.utc # Puma adds no header Date.
    render json: { lists: [], token: row.device_token }
  end
end
