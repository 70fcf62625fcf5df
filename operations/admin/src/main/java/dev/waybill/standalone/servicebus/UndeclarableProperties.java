package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.administration.models.AuthorizationRule;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The properties of an entity that a declaration cannot express, and that a new entity would lose. */
final class UndeclarableProperties {
    private static final long DEFAULT_MEGABYTES = 1_024;

    /** Service Bus encodes "never" as the maximum time of .NET, about 10,675,199 days. */
    private static final Duration NEVER = Duration.ofDays(10_000_000);

    private UndeclarableProperties() {}

    static List<String> of(QueueProperties queue) {
        return of(
                queue.getMaxSizeInMegabytes(),
                queue.getAutoDeleteOnIdle(),
                queue.getUserMetadata(),
                queue.getAuthorizationRules());
    }

    static List<String> of(TopicProperties topic) {
        return of(
                topic.getMaxSizeInMegabytes(),
                topic.getAutoDeleteOnIdle(),
                topic.getUserMetadata(),
                topic.getAuthorizationRules());
    }

    private static List<String> of(
            long megabytes,
            @Nullable Duration autoDelete,
            @Nullable String metadata,
            @Nullable List<AuthorizationRule> keys) {
        var found = new ArrayList<String>();
        if (megabytes != DEFAULT_MEGABYTES) {
            found.add("a maximum size of " + megabytes + " MB");
        }
        if (autoDelete != null && autoDelete.compareTo(NEVER) < 0) {
            found.add("auto-delete after " + autoDelete);
        }
        if (metadata != null && !metadata.isEmpty()) {
            found.add("user metadata");
        }
        if (keys != null && !keys.isEmpty()) {
            found.add("authorization rules (" + keys.size() + ")");
        }
        return found;
    }
}
