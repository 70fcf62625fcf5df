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
 * Leads an administration client to an embedded broker: the library insists on HTTPS and on the default port.
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

    /**
     * The policy for a broker.
     *
     * @throws IllegalStateException if the broker does not serve administration
     */
    public static EmbeddedAdministrationPolicy of(EmbeddedServiceBus bus) {
        return at("127.0.0.1", bus.administrationPort());
    }

    /**
     * The policy for a broker in another process, or on another machine.
     *
     * @param host where it runs
     * @param port the port on which it serves administration: 5300, unless it was told otherwise
     */
    public static EmbeddedAdministrationPolicy at(String host, int port) {
        return new EmbeddedAdministrationPolicy("http://" + host + ":" + port);
    }

    /** As {@link #at}, by TLS, for a broker that has an identity which the client trusts. */
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
