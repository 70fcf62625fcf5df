package dev.waybill.spring.servicebus;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.amqp.ProxyAuthenticationType;
import com.azure.core.amqp.ProxyOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * The network's part of Spring Cloud Azure's properties: transport and proxy, those for Service Bus before those for all services.
 * What else they say about connections is not taken over, and a warning names it.
 */
final class AzureNetwork {
    private static final Logger LOG = LoggerFactory.getLogger(AzureNetwork.class);
    private static final String AZURE = "spring.cloud.azure.";
    private static final String SERVICE_BUS = AZURE + "servicebus.";
    private static final Pattern ABOUT_CONNECTIONS = names(
            "servicebus.(?:(?:producer|consumer|processor).)?"
                    + "(?:client|proxy|retry|credential|profile|connection-string|namespace|domain-name|custom-endpoint-address)(?:..*)?",
            "client.amqp..*",
            "proxy..*",
            "retry..*");
    private static final Pattern TAKEN = names(
            "servicebus.(?:client.transport-type|connection-string|namespace|domain-name|custom-endpoint-address)",
            "servicebus.(?:credential..*|profile.(?:tenant-id|cloud-type|environment..*)|proxy.authentication-type)",
            "(?:servicebus.)?proxy.(?:type|hostname|port|username|password)",
            "client.amqp.transport-type",
            "proxy.(?:amqp.authentication-type|http..*)");

    private final Binder binder;
    private final @Nullable AmqpTransportType transport;
    private final @Nullable ProxyOptions proxy;

    // A variable of the environment has no dashes, or dots in their place.
    private static Pattern names(String... below) {
        return Pattern.compile(
                Pattern.quote(AZURE) + "(?:" + String.join("|", below).replace("-", "[.-]?") + ")");
    }

    AzureNetwork(Environment environment) {
        binder = Binder.get(environment);
        transport = first(AmqpTransportType.class, "client.transport-type", "client.amqp.transport-type");
        boolean tunnels = transport == AmqpTransportType.AMQP_WEB_SOCKETS;
        proxy = tunnels ? proxy() : null;
        warn(environment, tunnels);
    }

    ServiceBusClientBuilder applyTo(ServiceBusClientBuilder builder) {
        ServiceBusClientBuilder located = transport == null ? builder : builder.transportType(transport);
        return proxy == null ? located : located.proxyOptions(proxy);
    }

    private @Nullable ProxyOptions proxy() {
        @Nullable String host = first(String.class, "proxy.hostname");
        if (host == null || host.isBlank()) {
            return null;
        }
        @Nullable Integer port = first(Integer.class, "proxy.port");
        if (port == null) {
            throw new IllegalStateException("spring.cloud.azure.proxy.hostname is '" + host + "', and there is no"
                    + " spring.cloud.azure.proxy.port");
        }
        @Nullable String type = first(String.class, "proxy.type");
        @Nullable String user = first(String.class, "proxy.username");
        @Nullable ProxyAuthenticationType given =
                first(ProxyAuthenticationType.class, "proxy.authentication-type", "proxy.amqp.authentication-type");
        ProxyAuthenticationType own = user == null ? ProxyAuthenticationType.NONE : ProxyAuthenticationType.BASIC;
        return new ProxyOptions(
                given == null ? own : given,
                new Proxy(kind(type), new InetSocketAddress(host, port)),
                user,
                first(String.class, "proxy.password"));
    }

    private static Proxy.Type kind(@Nullable String type) {
        return type != null && type.toUpperCase(Locale.ROOT).startsWith("SOCKS") ? Proxy.Type.SOCKS : Proxy.Type.HTTP;
    }

    private <T> @Nullable T first(Class<T> type, String name) {
        return first(type, name, name);
    }

    private <T> @Nullable T first(Class<T> type, String name, String forAll) {
        return binder.bind(SERVICE_BUS + name, Bindable.of(type))
                .orElseGet(() -> binder.bind(AZURE + forAll, Bindable.of(type)).orElse(null));
    }

    private static void warn(Environment environment, boolean tunnels) {
        Set<String> left = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource all) {
                all.stream()
                        .map(ConfigurationPropertyName::toString)
                        .filter(name -> ABOUT_CONNECTIONS.matcher(name).matches())
                        .filter(name -> !TAKEN.matcher(name).matches() || (!tunnels && isProxy(name)))
                        .forEach(left::add);
            }
        }
        if (!left.isEmpty()) {
            LOG.warn(
                    "Relay and consumers do not use {}. Retries are Waybill's own, a proxy needs the transport-type"
                            + " AmqpWebSockets, and settings of Spring Cloud Azure's own clients are theirs; for all else,"
                            + " a bean of type ServiceBusConnections makes the SDK's builder",
                    left);
        }
    }

    // An HTTP proxy alone may be meant for other services.
    private static boolean isProxy(String name) {
        return name.contains(".proxy.") && !name.contains(".proxy.http.");
    }
}
