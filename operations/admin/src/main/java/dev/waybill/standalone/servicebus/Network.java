package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.amqp.ProxyAuthenticationType;
import com.azure.core.http.HttpClient;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import dev.waybill.standalone.config.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The way to a namespace, and to the services that sign a process in. The JVM's own proxy options would be cheaper than options of
 * Waybill, and do not reach AMQP.
 */
final class Network {
    private static final Duration PROBE = Duration.ofSeconds(5);

    private static final int HTTPS = 443;
    private static final int AMQPS = 5671;

    private final String namespace;
    private final NamespaceSettings.Network settings;
    private final Optional<HttpClient> http;

    Network(NamespaceSettings namespace) {
        this.namespace = namespace.name();
        this.settings = namespace.network();
        http = settings.proxy().map(proxy -> new ProxiedHttp(this, proxy));
    }

    /** The port of a namespace that names none. */
    int port() {
        return settings.webSockets() ? HTTPS : AMQPS;
    }

    /** The way to a host, for a log; empty for AMQP without a proxy. */
    String words(String host) {
        return settings.webSockets()
                ? ", by WebSockets"
                        + proxyTo(host)
                                .map(proxy -> " through the proxy " + proxy)
                                .orElse("")
                : "";
    }

    /** The proxy that leads to a host. */
    Optional<Proxy> proxyTo(String host) {
        return settings.proxy()
                .filter(proxy -> proxy.exclusions().stream().noneMatch(pattern -> matches(pattern, host)));
    }

    /** What explains a failure without the proxy; empty if there is none. */
    String excluded(String host) {
        return settings.proxy()
                .filter(proxy -> proxyTo(host).isEmpty())
                .map(proxy ->
                        "; proxy-exclusions of namespace." + namespace + " takes " + host + " off the proxy " + proxy)
                .orElse("");
    }

    // The SDK resolves the proxy's name when it gets the address, so each builder gets a new one.
    void applyTo(ServiceBusClientBuilder builder, String host) {
        if (!settings.webSockets()) {
            return;
        }
        builder.transportType(AmqpTransportType.AMQP_WEB_SOCKETS);
        proxyTo(host)
                .ifPresent(proxy -> builder.proxyOptions(new com.azure.core.amqp.ProxyOptions(
                        proxy.user().isPresent() ? ProxyAuthenticationType.BASIC : ProxyAuthenticationType.NONE,
                        new java.net.Proxy(java.net.Proxy.Type.HTTP, address(proxy)),
                        proxy.user().orElse(null),
                        proxy.password().map(Secret::text).orElse(null))));
    }

    ProxyProbe probe(Proxy proxy, ProxyProbe.Target target) {
        return new ProxyProbe(namespace, proxy, target, PROBE);
    }

    /** For administration and tokens; empty if the SDK's own client serves. */
    Optional<HttpClient> http() {
        return http;
    }

    static InetSocketAddress address(Proxy proxy) {
        return new InetSocketAddress(proxy.host(), proxy.port());
    }

    static boolean matches(String pattern, String host) {
        String expression =
                Arrays.stream(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(expression, Pattern.CASE_INSENSITIVE)
                .matcher(host)
                .matches();
    }
}
