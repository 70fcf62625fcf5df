package dev.waybill.servicebus.embedded.live;

import com.azure.core.exception.AzureException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one case. One is made when its name is first asked for, since most cases use few of those that their class
 * describes; all are removed at the end, also those that the case made itself under a name from here.
 */
public final class LiveEntities implements AutoCloseable {
    /** Begins every name, so that a person can tell what a run that was killed has left. */
    static final String PREFIX = "waybill-case-";

    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final AtomicInteger CASES = new AtomicInteger();

    private final ServiceBusAdministrationClient administration;
    private final Map<String, QueueOptions> queues = new HashMap<>();
    private final Map<String, TopicOptions> topics = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Deque<String> made = new ArrayDeque<>();
    private final String prefix = PREFIX + RUN + "-" + CASES.incrementAndGet() + "-";

    public LiveEntities(
            ServiceBusAdministrationClient administration,
            Map<String, QueueOptions> queues,
            Map<String, TopicOptions> topics) {
        this.administration = administration;
        queues.forEach((name, options) -> this.queues.put(key(name), options));
        topics.forEach((name, options) -> this.topics.put(key(name), options));
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The name of an entity here, which is made if it was described and is not there yet. */
    public String name(String described) {
        String real = prefix + described;
        if (names.putIfAbsent(key(described), real) == null) {
            made.push(real);
            create(key(described), real);
        }
        return real;
    }

    private void create(String described, String real) {
        QueueOptions queue = queues.get(described);
        TopicOptions topic = topics.get(described);
        if (queue != null) {
            administration.createQueue(real, EntityRequests.queue(queue, this::target));
        } else if (topic != null) {
            administration.createTopic(real, EntityRequests.topic(topic));
            topic.subscriptions().forEach((name, options) -> createSubscription(real, name, options));
        }
    }

    private void createSubscription(String topic, String name, SubscriptionOptions options) {
        EntityRequests.Rule first = EntityRequests.rule(options.rules().get(0));
        administration.createSubscription(
                topic, name, first.name(), EntityRequests.subscription(options, this::target), first.options());
        options.rules().stream()
                .skip(1)
                .map(EntityRequests::rule)
                .forEach(rule -> administration.createRule(topic, rule.name(), name, rule.options()));
    }

    private @Nullable String target(@Nullable String described) {
        if (described == null) {
            return null;
        }
        if (!queues.containsKey(key(described)) && !topics.containsKey(key(described))) {
            throw new NotApplicable(
                    "begins with forwarding to an entity that is not there, which a request cannot make");
        }
        return name(described);
    }

    @Override
    public void close() {
        while (!made.isEmpty()) {
            String name = made.pop();
            try {
                remove(name);
            } catch (AzureException e) {
                LiveReport.left(name, e);
            }
        }
    }

    private void remove(String name) {
        if (removed(() -> administration.deleteQueue(name)) || removed(() -> administration.deleteTopic(name))) {
            LiveReport.removed();
        }
    }

    /** False if there is no such entity: the case has removed it, or never made it, or it is of the other kind. */
    private static boolean removed(Runnable request) {
        try {
            request.run();
            return true;
        } catch (ResourceNotFoundException missing) {
            return false;
        }
    }
}
