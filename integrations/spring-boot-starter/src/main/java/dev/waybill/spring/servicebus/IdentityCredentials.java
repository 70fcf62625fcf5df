package dev.waybill.spring.servicebus;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import org.jspecify.annotations.Nullable;

/** Credentials of the library azure-identity, which need not be there. None asks for a token before it is used. */
final class IdentityCredentials {
    private IdentityCredentials() {}

    static TokenCredential azuresDefault() {
        return new DefaultAzureCredentialBuilder().build();
    }

    /** As Spring Cloud Azure chooses among its properties. */
    static TokenCredential of(AzureProperties properties) {
        if (properties.credential("client-secret") != null) {
            return secret(properties);
        }
        if (properties.credential("client-certificate-path") != null) {
            return certificate(properties);
        }
        if (properties.isManaged()) {
            var builder = new ManagedIdentityCredentialBuilder();
            String clientId = properties.credential("client-id");
            return (clientId == null ? builder : builder.clientId(clientId)).build();
        }
        throw new IllegalStateException(
                "Waybill takes no spring.cloud.azure.credential.password: Microsoft has withdrawn"
                        + " signing in by password; use a client secret, a certificate, or a managed identity");
    }

    private static TokenCredential secret(AzureProperties properties) {
        String secret = "client-secret";
        return principal(new ClientSecretCredentialBuilder(), properties, secret)
                .clientSecret(properties.required("credential." + secret, properties.credential(secret), secret))
                .build();
    }

    private static TokenCredential certificate(AzureProperties properties) {
        String path = "client-certificate-path";
        var builder = principal(new ClientCertificateCredentialBuilder(), properties, path);
        String file = properties.required("credential." + path, properties.credential(path), path);
        String password = properties.credential("client-certificate-password");
        return (password == null
                        ? builder.pemCertificate(file)
                        : builder.pfxCertificate(file).clientCertificatePassword(password))
                .build();
    }

    private static <T extends AadCredentialBuilderBase<T>> T principal(
            T builder, AzureProperties properties, String beside) {
        @Nullable String authority = properties.authority();
        T located = authority == null ? builder : builder.authorityHost(authority);
        return located.tenantId(properties.required("profile.tenant-id", properties.profile("tenant-id"), beside))
                .clientId(properties.required("credential.client-id", properties.credential("client-id"), beside));
    }
}
