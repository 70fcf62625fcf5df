package dev.waybill.standalone.identity;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.identity.AzureCliCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.EnvironmentCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import dev.waybill.standalone.config.NamespaceSettings.Identity;
import java.util.Optional;

/** Azure's credentials by their configured names. */
public final class Credentials {
    private Credentials() {}

    /** {@code clientId}: which of several identities; {@code http}: for requests of tokens, the default one unless given. */
    public static TokenCredential of(Identity identity, Optional<String> clientId, Optional<HttpClient> http) {
        return switch (identity) {
            case MANAGED_IDENTITY -> {
                var builder = new ManagedIdentityCredentialBuilder();
                http.ifPresent(builder::httpClient);
                clientId.ifPresent(builder::clientId);
                yield builder.build();
            }
            case WORKLOAD_IDENTITY -> {
                var builder = new WorkloadIdentityCredentialBuilder();
                http.ifPresent(builder::httpClient);
                clientId.ifPresent(builder::clientId);
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
                clientId.ifPresent(id -> builder.managedIdentityClientId(id).workloadIdentityClientId(id));
                yield builder.build();
            }
        };
    }
}
