package dev.waybill.servicebus.embedded.live;

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

/** Changes the port of requests and nothing else: the administration client knows the default port only. */
record OtherPort(int port) implements HttpPipelinePolicy {
    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        change(context);
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        change(context);
        return next.processSync();
    }

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_RETRY;
    }

    private void change(HttpPipelineCallContext context) {
        URL asked = context.getHttpRequest().getUrl();
        try {
            context.getHttpRequest()
                    .setUrl(URI.create(asked.getProtocol() + "://" + asked.getHost() + ":" + port + asked.getFile())
                            .toURL());
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not an address: " + asked, e);
        }
    }
}
