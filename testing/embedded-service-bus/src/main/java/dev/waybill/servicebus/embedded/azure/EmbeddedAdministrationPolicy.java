package dev.waybill.servicebus.embedded.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import reactor.core.publisher.Mono;

/**
 * Redirects an administration client to an embedded broker, because the library requires HTTPS and the default port.
 *
 * <pre>{@code
 * new ServiceBusAdministrationClientBuilder()
 *         .connectionString(bus.connectionString())
 *         .addPolicy(EmbeddedAdministrationPolicy.of(bus))
 *         .buildClient();
 * }</pre>
 */
public final class EmbeddedAdministrationPolicy implements HttpPipelinePolicy {
    private final String base;

    private EmbeddedAdministrationPolicy(String base) {
        this.base = base;
    }

    /** Throws {@code IllegalStateException} if the broker has no administration. */
    public static EmbeddedAdministrationPolicy of(EmbeddedServiceBus bus) {
        return at("127.0.0.1", bus.administrationPort());
    }

    /**
     * The policy for a broker in another process or on another machine.
     *
     * @param port its administration port, 5300 by default
     */
    public static EmbeddedAdministrationPolicy at(String host, int port) {
        return new EmbeddedAdministrationPolicy("http://" + host + ":" + port);
    }

    /** {@link #at} over TLS; the client must trust the broker's identity. */
    public static EmbeddedAdministrationPolicy secureAt(String host, int port) {
        return new EmbeddedAdministrationPolicy("https://" + host + ":" + port);
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        redirect(context);
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        redirect(context);
        return next.processSync();
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_RETRY;
    }

    private void redirect(HttpPipelineCallContext context) {
        URL asked = context.getHttpRequest().getUrl();
        try {
            URI local = new URI(base + asked.getFile());
            context.getHttpRequest().setUrl(local.toURL());
        } catch (URISyntaxException | MalformedURLException e) {
            throw new IllegalArgumentException("Not an address of an entity: " + asked, e);
        }
    }
}
