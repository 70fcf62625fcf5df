package dev.waybill.standalone.servicebus;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.AzureCliCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.EnvironmentCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import dev.waybill.standalone.config.NamespaceSettings;

final class Credentials {
    private Credentials() {}

    static TokenCredential of(NamespaceSettings namespace) {
        return switch (namespace.signIn().identity()) {
            case MANAGED_IDENTITY -> {
                var builder = new ManagedIdentityCredentialBuilder();
                namespace.signIn().clientId().ifPresent(builder::clientId);
                yield builder.build();
            }
            case WORKLOAD_IDENTITY -> {
                var builder = new WorkloadIdentityCredentialBuilder();
                namespace.signIn().clientId().ifPresent(builder::clientId);
                yield builder.build();
            }
            case ENVIRONMENT -> new EnvironmentCredentialBuilder().build();
            case CLI -> new AzureCliCredentialBuilder().build();
            case DEFAULT -> {
                var builder = new DefaultAzureCredentialBuilder();
                namespace
                        .signIn()
                        .clientId()
                        .ifPresent(id -> builder.managedIdentityClientId(id).workloadIdentityClientId(id));
                yield builder.build();
            }
        };
    }
}
