Pod::Spec.new do |s|
  s.name = "PushCryptExpo"
  s.version = "0.1.0"
  s.summary = "PushCrypt in this Expo app"
  s.homepage = "https://example.com"
  s.license = "Proprietary"
  s.author = "This app"
  s.platforms = { :ios => "15.1" }
  s.source = { :git => "" }
  s.source_files = "*.swift"
  s.swift_version = "6.0"
  s.dependency "ExpoModulesCore"
  spm_dependency(s, url: "PACKAGE_URL", requirement: PACKAGE_REQUIREMENT, products: ["PushCryptApple"])
end
