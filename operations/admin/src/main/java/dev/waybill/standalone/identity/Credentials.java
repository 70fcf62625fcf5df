package dev.waybill.standalone.identity;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.util.Configuration;
import com.azure.identity.AzureCliCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.EnvironmentCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.NamespaceSettings.Identity;
import java.util.List;
import java.util.Optional;

/** Azure's credentials by their configured names. */
public final class Credentials {
    private static final List<String> OF_WORKLOADS = List.of(
            Configuration.PROPERTY_AZURE_CLIENT_ID,
            Configuration.PROPERTY_AZURE_TENANT_ID,
            "AZURE_FEDERATED_TOKEN_FILE");

    private Credentials() {}

    /**
     * Refuses an identity that this process cannot have, for which nobody need be asked.
     *
     * @throws ConfigException with the option and what is missing
     */
    public static void check(String option, Identity identity, Optional<String> clientId) {
        var variables = Configuration.getGlobalConfiguration();
        List<String> missing = OF_WORKLOADS.stream()
                .filter(name -> !variables.contains(name))
                .filter(name -> clientId.isEmpty() || !name.equals(OF_WORKLOADS.get(0)))
                .toList();
        if (identity == Identity.WORKLOAD_IDENTITY && !missing.isEmpty()) {
            throw new ConfigException(option + " is workload-identity, and the environment lacks "
                    + String.join(", ", missing) + ", which Azure's webhook sets in a pod with the label"
                    + " azure.workload.identity/use and a service account of an identity");
        }
    }

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
