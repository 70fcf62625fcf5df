package dev.waybill.standalone.identity;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/**
 * Requests of tokens. It remembers the host that does not answer, as the SDK tries for longer than a connection may take, and
 * the caller would see a time-out only. Thread-safe.
 */
final class TokenRequests implements HttpClient {
    private static final int DEEPEST = 20;

    private final HttpClient client;
    private volatile Optional<HttpRequest> last = Optional.empty();
    private volatile Optional<Throwable> failure = Optional.empty();

    /** {@code client}: such as the SDK's own, which follows the JVM's proxy options. */
    TokenRequests(HttpClient client) {
        this.client = client;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return client.send(request, context)
                .doOnSubscribe(begun -> last = Optional.of(request))
                .doOnNext(answer -> answered())
                .doOnError(e -> failure = Optional.of(e));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        last = Optional.of(request);
        try {
            HttpResponse answer = client.sendSync(request, context);
            answered();
            return answer;
        } catch (RuntimeException e) {
            failure = Optional.of(e);
            throw e;
        }
    }

    private void answered() {
        last = Optional.empty();
        failure = Optional.empty();
    }

    /** The host that was asked last, with the proxy on the way and what failed; empty if it has answered. */
    Optional<String> unanswered() {
        return last.map(request -> request.getUrl().getHost() + proxy(request) + ": "
                + failure.map(TokenRequests::why).orElse("no answer"));
    }

    private static String proxy(HttpRequest request) {
        try {
            URI url = request.getUrl().toURI();
            return Optional.ofNullable(ProxySelector.getDefault())
                    .map(selector -> selector.select(url))
                    .orElse(List.of())
                    .stream()
                    .map(Proxy::address)
                    .filter(InetSocketAddress.class::isInstance)
                    .map(InetSocketAddress.class::cast)
                    .map(address -> " through the JVM's proxy " + address.getHostString() + ":" + address.getPort())
                    .findFirst()
                    .orElse("");
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static String why(Throwable failure) {
        List<Throwable> chain = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(DEEPEST)
                .collect(Collectors.toList());
        Throwable root = chain.get(chain.size() - 1);
        if (root instanceof UnknownHostException) {
            return "unknown host";
        }
        String words = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        if (chain.stream().anyMatch(GeneralSecurityException.class::isInstance)) {
            return words + "; its certificate is not trusted: give the JVM its issuer by -Djavax.net.ssl.trustStore";
        }
        return words.contains("status: 407")
                ? words + "; give the JVM -Dhttps.proxyUser and -Dhttps.proxyPassword"
                : words;
    }
}
