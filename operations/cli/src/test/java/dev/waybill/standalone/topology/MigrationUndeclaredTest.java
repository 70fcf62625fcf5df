package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.CreateTopicOptions;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Properties that the old entity has, no declaration can name, and the new one would not have. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class MigrationUndeclaredTest {
    @TempDir
    private Path directory;

    private MigrationTraffic azure;

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        azure = new MigrationTraffic(database, directory);
    }

    @AfterEach
    void stop() throws Exception {
        azure.close();
    }

    @Test
    void a_size_that_the_new_entity_would_not_have_is_told() {
        azure.portal.deleteQueue("notes");
        azure.portal.createQueue(
                "notes",
                new CreateQueueOptions()
                        .setMaxSizeInMegabytes(5_120)
                        .setAutoDeleteOnIdle(Duration.ofDays(30))
                        .setUserMetadata("of billing"));

        Result migrated = azure.migrate("notes");

        assertThat(migrated.out())
                .contains(
                        "notes-2 does not get",
                        "a maximum size of 5120 MB, auto-delete after PT720H, user metadata of notes");
    }

    @Test
    void an_action_of_a_rule_that_the_new_subscription_would_not_have_is_told() {
        azure.portal.createTopic("events", new CreateTopicOptions());
        azure.portal.createSubscription("events", "fraud", "big", new CreateSubscriptionOptions(), acting());
        String declared =
                "{ events: { type: topic, subscription: { fraud: { sessions: true, rule: { big: 'amount > 100' } } } } }";

        Result migrated = azure.migrateAs(declared, "events");

        assertThat(migrated.exitCode()).as(migrated.out() + migrated.err()).isEqualTo(20);
        assertThat(migrated.out()).contains("the rule big of events/Subscriptions/fraud has an action");

        azure.portal.createTopic(
                "events-7",
                new CreateTopicOptions()
                        .setDuplicateDetectionRequired(true)
                        .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(10)));
        azure.portal.createSubscription(
                "events-7", "fraud", "big", new CreateSubscriptionOptions().setSessionRequired(true), acting());
        Result named = azure.migrateAs(declared, "events", "--to", "events-7");
        assertThat(named.exitCode()).as(named.out() + named.err()).isZero();
    }

    private static CreateRuleOptions acting() {
        return new CreateRuleOptions(new SqlRuleFilter("amount > 100"))
                .setAction(new SqlRuleAction("SET tier = 'high'"));
    }
}
