# frozen_string_literal: true

class MessagesController < ApplicationController
  def create
    SealJob.perform_later(@user, request.raw_post.force_encoding(Encoding::UTF_8))
    head :accepted
  end
end
