package dev.waybill.standalone.servicebus;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.Context;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Restores the time to live in changes of subscriptions: version 7.17 of the SDK omits it, and Service Bus then sets "no limit"
 * (Azure/azure-sdk-for-java, issue 48495).
 */
final class SubscriptionLifetime implements HttpPipelinePolicy {
    private static final String KEY = SubscriptionLifetime.class.getName();
    private static final String ELEMENT = "<DefaultMessageTimeToLive>";

    /** The service requires this order of elements. */
    private static final String NEXT = "<DeadLetteringOnMessageExpiration>";

    /** The context of a change with this time to live. */
    static Context context(Duration timeToLive) {
        return new Context(KEY, timeToLive);
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        complete(context);
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        complete(context);
        return next.processSync();
    }

    private static void complete(HttpPipelineCallContext context) {
        HttpRequest request = context.getHttpRequest();
        context.getData(KEY)
                .filter(life -> request.getBodyAsBinaryData() != null)
                .ifPresent(life -> {
                    String body = request.getBodyAsBinaryData().toString();
                    if (!body.contains(ELEMENT)) {
                        request.setBody(body.replace(NEXT, ELEMENT + life + "</DefaultMessageTimeToLive>" + NEXT));
                    }
                });
    }
}
