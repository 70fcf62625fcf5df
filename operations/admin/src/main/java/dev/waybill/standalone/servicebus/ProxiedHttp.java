package dev.waybill.standalone.servicebus;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import com.azure.core.util.Context;
import com.azure.core.util.HttpClientOptions;
import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import dev.waybill.standalone.config.Secret;
import dev.waybill.standalone.servicebus.ProxyProbe.Target;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * HTTP through a proxy, for administration and tokens. Each request asks the {@link ProxyGate} first, because the SDK repeats a
 * refused password four times, and takes the current password, because a credential keeps its client as long as a connection lives.
 * Thread-safe.
 */
final class ProxiedHttp implements HttpClient {
    /** Where a machine or a container gets its tokens by plain HTTP. The request has its secret, and a proxy cannot reach it. */
    private static final List<String> MACHINE = List.of("localhost", "127.*", "[::1]", "169.254.*");

    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private final Network network;
    private final Proxy proxy;
    private @Nullable HttpClient direct;
    private @Nullable HttpClient through;
    private Object keptFor = "";

    ProxiedHttp(Network network, Proxy proxy) {
        this.network = network;
        this.proxy = proxy;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    // The proxy is asked on a thread that may wait.
    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.fromCallable(() -> client(request.getUrl()))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(client -> client.send(request, context));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        return client(request.getUrl()).sendSync(request, context);
    }

    private HttpClient client(URL url) {
        boolean plain = "http".equalsIgnoreCase(url.getProtocol());
        boolean ofMachine = plain && MACHINE.stream().anyMatch(pattern -> Network.matches(pattern, url.getHost()));
        if (ofMachine || network.proxyTo(url.getHost()).isEmpty()) {
            return direct();
        }
        int port = url.getPort() > 0 ? url.getPort() : plain ? HTTP : HTTPS;
        ProxyGate.refused(network.probe(proxy, new Target(url.getHost(), port, !plain)))
                .ifPresent(why -> {
                    throw new UnreachableException(why);
                });
        return through(proxy.password().map(Secret::text).orElse(""));
    }

    private synchronized HttpClient direct() {
        if (direct == null) {
            direct = HttpClient.createDefault(new HttpClientOptions().setConfiguration(Configuration.NONE));
        }
        return direct;
    }

    // The name of the proxy may lead to another address since.
    private synchronized HttpClient through(String password) {
        InetSocketAddress address = Network.address(proxy);
        var current = List.of(address, password);
        if (through == null || !current.equals(keptFor)) {
            var options = new ProxyOptions(ProxyOptions.Type.HTTP, address);
            proxy.user().ifPresent(user -> options.setCredentials(user, password));
            through = HttpClient.createDefault(new HttpClientOptions().setProxyOptions(options));
            keptFor = current;
        }
        return through;
    }
}
