#if APNs
internal import PushCryptAPNs

/// The finding of a push that APNs doesn't accept.
extension DoctorFinding {
    init(_ error: APNsError) {
        switch error.apnsReason {
        case .badDeviceToken: self.init(DoctorRule.tokenRejected)
        case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
            self.init(DoctorRule.environmentWrong)
        case .deviceTokenNotForTopic, .topicDisallowed, .badTopic, .missingTopic:
            self.init(DoctorRule.topicWrong)
        case .unregistered, .expiredToken: self.init(DoctorRule.deviceUnregistered)
        case .expiredProviderToken:
            self.init(DoctorRule.clockWrong, "APNs considers a new provider token expired.")
        case .invalidProviderToken, .forbidden, .badCertificate, .missingProviderToken,
            .unrelatedKeyIDInToken:
            self.init(DoctorRule.credentialsRejected)
        default: self.init(other: error)
        }
    }

    private init(other error: APNsError) {
        if error.isUnreachable || error.code == .noConnection {
            self.init(DoctorRule.apnsUnreachable, error.reason)
        } else if error.code == .invalidDeviceToken {
            self.init(DoctorRule.recipientInvalid, error.reason)
        } else if error.advice == .retry || error.code == .noAnswer
            || error.status.map({ $0 >= 429 }) == true
        {
            self.init(DoctorRule.apnsBusy, "[\(error.code)]")
        } else {
            self.init(DoctorRule.pushRejected, "[\(error.code)]")
        }
    }
}
#endif
