#if APNs
/// Throwaway keys and certificates, valid until 2125, that guard nothing.
package enum Certificates {
    /// The certificate of the authority that signed the others.
    package static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBdTCCARqgAwIBAgIUXBJCTmY9Lt1O2QQfowBQNhtnS/AwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMVGVzdCBBUE5zIENBMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUw
        MTAxMDAwMDAwWjAXMRUwEwYDVQQDDAxUZXN0IEFQTnMgQ0EwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQmx3fRGYOVTYccoA10clh+6/8tg05ObzUgwOdGoaPkpfuc
        YupM5DLVt/XCG5C9A1idsxGk+xyquXs4/awwHeMwo0IwQDAPBgNVHRMBAf8EBTAD
        AQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQUYTKKMe6dCgrcqSKaKjw7KBbU
        8gUwCgYIKoZIzj0EAwIDSQAwRgIhAL6km8y5/g+vIYWPbwJpYayWC0/f5MmEnLh1
        qh5qt1MyAiEAgaVnlQEqLmb2nPiHiuKA+S+fGbc26PebypQ9usUkLwE=
        -----END CERTIFICATE-----
        """

    /// The certificate of the server, for localhost and 127.0.0.1.
    static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBrTCCAVOgAwIBAgIUOtiW/6zqaIkxslmczVa3IyGQATkwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMVGVzdCBBUE5zIENBMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUw
        MTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggq
        hkjOPQMBBwNCAATP5cyiAZ+tmvwrRSDh1XOWcp4WISAaFhlG/IgcItuKwNap0E8K
        z6oIRGLq6frZJ771blWxirPHUU2KBRAQ+b45o34wfDAaBgNVHREEEzARgglsb2Nh
        bGhvc3SHBH8AAAEwEwYDVR0lBAwwCgYIKwYBBQUHAwEwCQYDVR0TBAIwADAdBgNV
        HQ4EFgQUQwEoKAwrgSDwxJ5uK6cZxdsrFnowHwYDVR0jBBgwFoAUYTKKMe6dCgrc
        qSKaKjw7KBbU8gUwCgYIKoZIzj0EAwIDSAAwRQIhAO8/luFvjoBuZzsthw5iKlry
        TvDqb+PI8tEOttsVe7+aAiA/0JPrO5S5BeTN2IvbmOB875Cj7GG7GVB2Mor4lDWl
        mg==
        -----END CERTIFICATE-----
        """

    /// The private key of the server.
    static let serverKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYeLP7cw0JyJt/F0n
        d7JZwzjOD6ZLyIxIsnNdqqDiChahRANCAATP5cyiAZ+tmvwrRSDh1XOWcp4WISAa
        FhlG/IgcItuKwNap0E8Kz6oIRGLq6frZJ771blWxirPHUU2KBRAQ+b45
        -----END PRIVATE KEY-----
        """

    /// A certificate that a client presents instead of provider tokens.
    package static let client = """
        -----BEGIN CERTIFICATE-----
        MIIBrDCCAVKgAwIBAgIUVfq/0E3uGZn6MsHu1ppn8M8ieI8wCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMVGVzdCBBUE5zIENBMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUw
        MTAxMDAwMDAwWjAvMS0wKwYDVQQDDCRBcHBsZSBQdXNoIFNlcnZpY2VzOiBjb20u
        ZXhhbXBsZS5hcHAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR1OPC2+8zwrfKy
        zrcJFy+IJ/TKM2KiPnm/VZfH8JX4xaos1b+v/NNiCdwbhXzDBnG+hTQ/2vFYEY48
        nkbAQSZao2IwYDATBgNVHSUEDDAKBggrBgEFBQcDAjAJBgNVHRMEAjAAMB0GA1Ud
        DgQWBBTxW4b80spAzEvKpOdFpoieBiQK6DAfBgNVHSMEGDAWgBRhMoox7p0KCtyp
        IpoqPDsoFtTyBTAKBggqhkjOPQQDAgNIADBFAiAD4RlG+/rpRCODxMrZvKrA2T8N
        AwzXPFmX5pyGMVoD4QIhAIm0soZ0XzF3LUV+daXfsMzyLMtBt3D2DnrggcZHzDXG
        -----END CERTIFICATE-----
        """

    /// The private key of that client.
    package static let clientKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYH2F18vSiYUN+JE/
        w3bNpSbm8DzCwbICJzqqg/UZAQahRANCAAR1OPC2+8zwrfKyzrcJFy+IJ/TKM2Ki
        Pnm/VZfH8JX4xaos1b+v/NNiCdwbhXzDBnG+hTQ/2vFYEY48nkbAQSZa
        -----END PRIVATE KEY-----
        """
}

/// A key of a team that signs provider tokens.
package struct ProviderKey: Sendable {
    /// The key id, which is `kid` in the header of a provider token.
    package let keyID: String
    /// The team id, which is `iss` in a provider token.
    package let teamID: String
    /// The PEM text of the private key.
    package let p8: String

    /// The key of the first team.
    package static let first = ProviderKey(
        keyID: "KEY1234567", teamID: "TEAM123456",
        p8: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgA/1O6o01JpssezXZ
            rOD0lNl0HyoxNnios9et8hFmJ66hRANCAASTX3snpT3wbxCb1JIv5A5NVbqtvDVo
            995zGlXMckU1gsC9wUP0b/2Z3WVNLGTyjRN5X8ODJphRN0tOmxRSCw0G
            -----END PRIVATE KEY-----
            """)

    /// The key of another team.
    package static let second = ProviderKey(
        keyID: "KEY7654321", teamID: "TEAM654321",
        p8: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7jOxCvpJGXKYvon/
            j2BUC0ZgrFGJISGA2EHP56r6Tq6hRANCAASq1Y8YVUmJPBizGcOzvy2dXs8E4yhu
            JMoz1yfZHxyGvpCMVv6Kp9B0dX5YhppVLAfFLxaBmNzCW4/nqVSMFhZJ
            -----END PRIVATE KEY-----
            """)
}
#endif
