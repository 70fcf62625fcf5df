package dev.waybill.spring.servicebus;

import com.azure.identity.AzureAuthorityHosts;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Spring Cloud Azure's properties about credentials: those for Service Bus before those for all services. */
final class AzureProperties {
    private static final String AZURE = "spring.cloud.azure.";

    private static final String CHINA = "AZURE_CHINA";
    private static final String US_GOVERNMENT = "AZURE_US_GOVERNMENT";

    private final Environment environment;

    AzureProperties(Environment environment) {
        this.environment = environment;
    }

    @Nullable String credential(String name) {
        return of("credential." + name);
    }

    @Nullable String profile(String name) {
        return of("profile." + name);
    }

    /** Where credentials are checked; null for Azure's public cloud. */
    @Nullable String authority() {
        String given = profile("environment.active-directory-endpoint");
        return given != null
                ? given
                : switch (cloud()) {
                    case CHINA -> AzureAuthorityHosts.AZURE_CHINA;
                    case US_GOVERNMENT -> AzureAuthorityHosts.AZURE_GOVERNMENT;
                    default -> null;
                };
    }

    /** The domain of namespaces. */
    String domain() {
        return switch (cloud()) {
            case CHINA -> "servicebus.chinacloudapi.cn";
            case US_GOVERNMENT -> "servicebus.usgovcloudapi.net";
            default -> "servicebus.windows.net";
        };
    }

    private String cloud() {
        String cloud = profile("cloud-type");
        return cloud == null ? "" : cloud.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private @Nullable String of(String name) {
        String own = environment.getProperty(AZURE + "servicebus." + name);
        String any = own == null || own.isBlank() ? environment.getProperty(AZURE + name) : own;
        return any == null || any.isBlank() ? null : any;
    }

    boolean isManaged() {
        return Boolean.parseBoolean(credential("managed-identity-enabled"));
    }

    /** Whether they say which credential it is. */
    boolean hasCredential() {
        return isManaged()
                || credential("client-secret") != null
                || credential("client-certificate-path") != null
                || credential("password") != null;
    }

    /** @throws IllegalStateException if it is missing, with its name */
    String required(String name, @Nullable String value, String beside) {
        if (value == null) {
            throw new IllegalStateException(
                    "spring.cloud.azure." + name + " is missing beside spring.cloud.azure.credential." + beside);
        }
        return value;
    }
}
