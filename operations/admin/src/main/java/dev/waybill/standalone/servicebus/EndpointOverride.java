package dev.waybill.standalone.servicebus;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import reactor.core.publisher.Mono;

/** Redirects administration calls to an emulator, because the SDK insists on HTTPS and the default port. */
final class EndpointOverride implements HttpPipelinePolicy {
    private final URI endpoint;

    EndpointOverride(String endpoint) {
        this.endpoint = URI.create(endpoint);
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
            context.getHttpRequest()
                    .setUrl(new URL(endpoint.getScheme(), endpoint.getHost(), endpoint.getPort(), asked.getFile()));
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not an address of an entity: " + asked, e);
        }
    }
}
