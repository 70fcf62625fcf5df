package dev.waybill.servicebus.embedded.live;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A namespace and how it is reached: by AMQP in TLS, and administration by HTTPS, as Service Bus is. Its ports are those of
 * Service Bus, unless the settings say otherwise.
 */
public final class LiveTarget {
    private static final int HTTPS = 443;
    private static final int AMQPS = 5671;

    /** A namespace on another port than Azure's is a broker of ours, which answers at once or is gone. */
    private static final RetryOptions ONCE_MORE = new RetryOptions(new FixedDelayOptions(1, Duration.ofMillis(100)));

    /** One for all cases, because it keeps its tokens. */
    private static final class Identity {
        static final TokenCredential ONLY = new DefaultAzureCredentialBuilder().build();
    }

    private final String host;
    private final @Nullable String connectionString;
    private final @Nullable TokenCredential credential;
    private final int amqpPort;
    private final int administrationPort;

    private LiveTarget(
            String host,
            @Nullable String connectionString,
            @Nullable TokenCredential credential,
            int amqpPort,
            int administrationPort) {
        this.host = host;
        this.connectionString = connectionString;
        this.credential = credential;
        this.amqpPort = amqpPort;
        this.administrationPort = administrationPort;
    }

    /** The namespace of these settings; without any, a broker in a process of its own that is started once. */
    static LiveTarget of(Function<String, Optional<String>> settings) {
        Optional<String> connectionString = connectionString(settings);
        Optional<String> host = LiveSettings.given(settings, LiveSettings.HOST);
        if (connectionString.isEmpty() && host.isEmpty()) {
            LiveBrokerProcess broker = LiveBrokerProcess.started();
            return withKey(broker.connectionString(), broker.amqpPort(), broker.administrationPort());
        }
        int amqp = port(settings, LiveSettings.AMQP_PORT, AMQPS);
        int administration = port(settings, LiveSettings.ADMINISTRATION_PORT, HTTPS);
        return connectionString.isPresent()
                ? withKey(connectionString.get(), amqp, administration)
                : new LiveTarget(host.orElseThrow(), null, Identity.ONLY, amqp, administration);
    }

    private static Optional<String> connectionString(Function<String, Optional<String>> settings) {
        return LiveSettings.given(settings, LiveSettings.CONNECTION_STRING)
                .or(() -> Optional.ofNullable(System.getenv(LiveSettings.CONNECTION_STRING_VARIABLE))
                        .filter(text -> !text.isBlank()));
    }

    private static String endpoint(String connectionString) {
        return connectionString.replaceAll("(?i).*Endpoint=sb://([^;/]+).*", "$1");
    }

    /** How the report calls the namespace: never by anything secret. */
    static String named(Function<String, Optional<String>> settings) {
        return connectionString(settings)
                .map(LiveTarget::endpoint)
                .or(() -> LiveSettings.given(settings, LiveSettings.HOST))
                .orElse("a second embedded broker");
    }

    private static LiveTarget withKey(String connectionString, int amqpPort, int administrationPort) {
        return new LiveTarget(endpoint(connectionString), connectionString, null, amqpPort, administrationPort);
    }

    private static int port(Function<String, Optional<String>> settings, String name, int usual) {
        return LiveSettings.given(settings, name).map(Integer::parseInt).orElse(usual);
    }

    public ServiceBusClientBuilder client() {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder()
                .retryOptions(new AmqpRetryOptions().setMaxRetries(1).setTryTimeout(Duration.ofSeconds(30)));
        if (amqpPort != AMQPS) {
            builder.customEndpointAddress("https://" + host + ":" + amqpPort);
        }
        return connectionString == null
                ? builder.credential(host, credential)
                : builder.connectionString(connectionString);
    }

    public ServiceBusAdministrationClient administration() {
        ServiceBusAdministrationClientBuilder builder = new ServiceBusAdministrationClientBuilder();
        if (administrationPort != HTTPS) {
            builder.addPolicy(EmbeddedAdministrationPolicy.secureAt(host, administrationPort))
                    .retryOptions(ONCE_MORE);
        }
        return connectionString == null
                ? builder.credential(host, credential).buildClient()
                : builder.connectionString(connectionString).buildClient();
    }
}
