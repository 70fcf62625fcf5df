package dev.waybill.standalone.servicebus;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.identity.AzureCliCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.EnvironmentCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import dev.waybill.standalone.config.NamespaceSettings;
import java.util.Optional;

final class Credentials {
    private Credentials() {}

    static TokenCredential of(NamespaceSettings namespace) {
        Optional<HttpClient> http = new Network(namespace.network()).http();
        return switch (namespace.signIn().identity()) {
            case MANAGED_IDENTITY -> {
                var builder = new ManagedIdentityCredentialBuilder();
                http.ifPresent(builder::httpClient);
                namespace.signIn().clientId().ifPresent(builder::clientId);
                yield builder.build();
            }
            case WORKLOAD_IDENTITY -> {
                var builder = new WorkloadIdentityCredentialBuilder();
                http.ifPresent(builder::httpClient);
                namespace.signIn().clientId().ifPresent(builder::clientId);
                yield builder.build();
            }
            case ENVIRONMENT -> {
                var builder = new EnvironmentCredentialBuilder();
                http.ifPresent(builder::httpClient);
                yield builder.build();
            }
            case CLI -> new AzureCliCredentialBuilder().build();
            case DEFAULT -> {
                var builder = new DefaultAzureCredentialBuilder();
                http.ifPresent(builder::httpClient);
                namespace
                        .signIn()
                        .clientId()
                        .ifPresent(id -> builder.managedIdentityClientId(id).workloadIdentityClientId(id));
                yield builder.build();
            }
        };
    }
}
