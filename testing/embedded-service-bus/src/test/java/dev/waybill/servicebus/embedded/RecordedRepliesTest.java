package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/**
 * The documents that administration answers with have the elements of Service Bus's, in its order and with its namespaces:
 * clients read them by more than their meaning. The expected documents follow the replies that the tests of Azure's client
 * for Python have recorded (CHECKS.md says where); moments are written as MOMENT.
 */
@EmbeddedOnly("speaks HTTP without the client library")
class RecordedRepliesTest extends BusTest {
    private static final String ATOM = "<entry xmlns=\"http://www.w3.org/2005/Atom\">";
    private static final String NAMESPACES =
            " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\""
                    + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">";
    private static final String CONNECT =
            " xmlns='http://schemas.microsoft.com/netservices/2010/10/servicebus/connect'";
    private static final String FOREVER = "P10675199DT2H48M5.4775807S";
    private static final String COUNTS =
            "<CountDetails xmlns:P=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\">"
                    + "<P:ActiveMessageCount>0</P:ActiveMessageCount><P:DeadLetterMessageCount>0</P:DeadLetterMessageCount>"
                    + "<P:ScheduledMessageCount>0</P:ScheduledMessageCount><P:TransferMessageCount>0</P:TransferMessageCount>"
                    + "<P:TransferDeadLetterMessageCount>0</P:TransferDeadLetterMessageCount></CountDetails>";

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().administrationPort(0);
    }

    private String ask(String method, String path, String description) throws Exception {
        String body = description.isEmpty()
                ? ""
                : "<entry xmlns='http://www.w3.org/2005/Atom'><content type='application/xml'>"
                        + description.replaceFirst("(<\\w+)", "$1" + CONNECT) + "</content></entry>";
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + bus.administrationPort() + path))
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " "
                + response.body()
                        .replace("https://127.0.0.1:" + bus.administrationPort(), "https://HOST")
                        .replaceAll("2\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "MOMENT");
    }

    private static String entry(String path, String name, boolean author, String description) {
        return ATOM + "<id>https://HOST" + path + "</id><title type=\"text\">" + name
                + "</title><published>MOMENT</published><updated>MOMENT</updated>"
                + (author ? "<author><name>embedded</name></author>" : "")
                + "<link rel=\"self\" href=\"https://HOST" + path + "\"/><content type=\"application/xml\">"
                + description
                + "</content></entry>";
    }

    private static String queue(boolean created, String version) {
        return "<QueueDescription" + NAMESPACES + "<LockDuration>PT1M</LockDuration>"
                + "<MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
                + "<RequiresDuplicateDetection>false</RequiresDuplicateDetection><RequiresSession>false</RequiresSession>"
                + "<DefaultMessageTimeToLive>" + FOREVER + "</DefaultMessageTimeToLive>"
                + "<DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>"
                + "<DuplicateDetectionHistoryTimeWindow>PT10M</DuplicateDetectionHistoryTimeWindow>"
                + "<MaxDeliveryCount>10</MaxDeliveryCount><EnableBatchedOperations>true</EnableBatchedOperations>"
                + "<SizeInBytes>0</SizeInBytes><MessageCount>0</MessageCount>"
                + "<IsAnonymousAccessible>false</IsAnonymousAccessible><AuthorizationRules></AuthorizationRules>"
                + "<Status>Active</Status><CreatedAt>MOMENT</CreatedAt><UpdatedAt>MOMENT</UpdatedAt>"
                + (created ? "" : "<AccessedAt>0001-01-01T00:00:00Z</AccessedAt>")
                + "<SupportOrdering>true</SupportOrdering>"
                + (created ? "" : COUNTS.replace("P:", "d2p1:").replace(":P=", ":d2p1="))
                + "<AutoDeleteOnIdle>" + FOREVER + "</AutoDeleteOnIdle><EnablePartitioning>false</EnablePartitioning>"
                + "<EntityAvailabilityStatus>Available</EntityAvailabilityStatus><EnableExpress>false</EnableExpress>"
                + (version.equals("2017-04") ? "" : "<MaxMessageSizeInKilobytes>256</MaxMessageSizeInKilobytes>")
                + "</QueueDescription>";
    }

    @Test
    void a_queue_created_and_read() throws Exception {
        assertThat(ask("PUT", "/q?api-version=2021-05", "<QueueDescription/>"))
                .isEqualTo("201 " + entry("/q?api-version=2021-05", "q", true, queue(true, "2021-05")));
        assertThat(ask("GET", "/q?enrich=false&api-version=2021-05", ""))
                .isEqualTo(
                        "200 " + entry("/q?enrich=false&amp;api-version=2021-05", "q", true, queue(false, "2021-05")));
        assertThat(ask("GET", "/q?api-version=2017-04", ""))
                .isEqualTo("200 " + entry("/q?api-version=2017-04", "q", true, queue(false, "2017-04")));
    }

    @Test
    void queues_listed() throws Exception {
        ask("PUT", "/q?api-version=2021-05", "<QueueDescription/>");
        String here = "https://HOST/$Resources/queues?$skip=0&amp;$top=100&amp;api-version=2021-05";

        assertThat(ask("GET", "/$Resources/queues?$skip=0&$top=100&api-version=2021-05", ""))
                .isEqualTo(
                        "200 <feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">Queues</title><id>" + here
                                + "</id><updated>MOMENT</updated><link rel=\"self\" href=\"" + here + "\"/>"
                                + entry("/q?api-version=2021-05", "q", true, queue(false, "2021-05"))
                                        .replace(ATOM, "<entry>")
                                + "</feed>");
    }

    @Test
    void a_topic_read() throws Exception {
        ask("PUT", "/t?api-version=2021-05", "<TopicDescription/>");

        assertThat(ask("GET", "/t?api-version=2021-05", ""))
                .isEqualTo("200 "
                        + entry(
                                "/t?api-version=2021-05",
                                "t",
                                true,
                                "<TopicDescription" + NAMESPACES + "<DefaultMessageTimeToLive>" + FOREVER
                                        + "</DefaultMessageTimeToLive><MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
                                        + "<RequiresDuplicateDetection>false</RequiresDuplicateDetection>"
                                        + "<DuplicateDetectionHistoryTimeWindow>PT10M</DuplicateDetectionHistoryTimeWindow>"
                                        + "<EnableBatchedOperations>true</EnableBatchedOperations>"
                                        + "<SizeInBytes>0</SizeInBytes>"
                                        + "<FilteringMessagesBeforePublishing>false</FilteringMessagesBeforePublishing>"
                                        + "<IsAnonymousAccessible>false</IsAnonymousAccessible>"
                                        + "<AuthorizationRules></AuthorizationRules><Status>Active</Status>"
                                        + "<CreatedAt>MOMENT</CreatedAt><UpdatedAt>MOMENT</UpdatedAt>"
                                        + "<AccessedAt>0001-01-01T00:00:00Z</AccessedAt>"
                                        + "<SupportOrdering>true</SupportOrdering>"
                                        + COUNTS.replace("P:", "d2p1:").replace(":P=", ":d2p1=")
                                        + "<SubscriptionCount>0</SubscriptionCount><AutoDeleteOnIdle>" + FOREVER
                                        + "</AutoDeleteOnIdle><EnablePartitioning>false</EnablePartitioning>"
                                        + "<EntityAvailabilityStatus>Available</EntityAvailabilityStatus>"
                                        + "<EnableSubscriptionPartitioning>false</EnableSubscriptionPartitioning>"
                                        + "<EnableExpress>false</EnableExpress>"
                                        + "<MaxMessageSizeInKilobytes>256</MaxMessageSizeInKilobytes>"
                                        + "</TopicDescription>"));
    }

    @Test
    void a_subscription_that_forwards_read() throws Exception {
        ask("PUT", "/q?api-version=2017-04", "<QueueDescription/>");
        ask("PUT", "/t?api-version=2017-04", "<TopicDescription/>");
        String onto = "sb://example.servicebus.windows.net/q";
        ask(
                "PUT",
                "/t/subscriptions/s?api-version=2017-04",
                "<SubscriptionDescription><ForwardTo>" + onto + "</ForwardTo><ForwardDeadLetteredMessagesTo>" + onto
                        + "</ForwardDeadLetteredMessagesTo></SubscriptionDescription>");

        assertThat(ask("GET", "/t/subscriptions/s?enrich=false&api-version=2017-04", ""))
                .isEqualTo("200 "
                        + entry(
                                "/t/subscriptions/s?enrich=false&amp;api-version=2017-04",
                                "s",
                                false,
                                "<SubscriptionDescription" + NAMESPACES + "<LockDuration>PT1M</LockDuration>"
                                        + "<RequiresSession>false</RequiresSession><DefaultMessageTimeToLive>" + FOREVER
                                        + "</DefaultMessageTimeToLive>"
                                        + "<DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>"
                                        + "<DeadLetteringOnFilterEvaluationExceptions>true"
                                        + "</DeadLetteringOnFilterEvaluationExceptions><MessageCount>0</MessageCount>"
                                        + "<MaxDeliveryCount>10</MaxDeliveryCount>"
                                        + "<EnableBatchedOperations>true</EnableBatchedOperations>"
                                        + "<Status>Active</Status><ForwardTo>" + onto + "</ForwardTo>"
                                        + "<CreatedAt>MOMENT</CreatedAt><UpdatedAt>MOMENT</UpdatedAt>"
                                        + "<AccessedAt>MOMENT</AccessedAt>"
                                        + COUNTS.replace("P:", "d3p1:").replace(":P=", ":d3p1=")
                                        + "<ForwardDeadLetteredMessagesTo>" + onto + "</ForwardDeadLetteredMessagesTo>"
                                        + "<AutoDeleteOnIdle>" + FOREVER + "</AutoDeleteOnIdle>"
                                        + "<EntityAvailabilityStatus>Available</EntityAvailabilityStatus>"
                                        + "</SubscriptionDescription>"));
    }

    private static String property(String name, String value) {
        return "<KeyValueOfstringanyType><Key>" + name + "</Key>" + value + "</KeyValueOfstringanyType>";
    }

    private static String typed(String type, String namespace, String value) {
        return "<Value i:type=\"d6p1:" + type + "\" xmlns:d6p1=\"" + namespace + "\">" + value + "</Value>";
    }

    @Test
    void a_rule_with_properties_of_every_type_and_one_without_a_value_read() throws Exception {
        ask("PUT", "/t?api-version=2017-04", "<TopicDescription/>");
        ask("PUT", "/t/subscriptions/s?api-version=2017-04", "<SubscriptionDescription/>");
        String schema = "http://www.w3.org/2001/XMLSchema";
        String filter = "<Filter i:type=\"CorrelationFilter\"><CorrelationId>c</CorrelationId><Properties>"
                + property("text", typed("string", schema, "str1"))
                + property("int", typed("int", schema, "2"))
                + property("long", typed("long", schema, "2147483650"))
                + property("flag", typed("boolean", schema, "false"))
                + property("none", "<Value i:nil=\"true\"></Value>")
                + property("span", typed("duration", "http://schemas.microsoft.com/2003/10/Serialization/", "P1DT2H3M"))
                + "</Properties></Filter><Action i:type=\"EmptyRuleAction\"></Action>";
        ask(
                "PUT",
                "/t/subscriptions/s/rules/r?api-version=2017-04",
                "<RuleDescription xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">" + filter
                        + "<Name>r</Name></RuleDescription>");

        assertThat(ask("GET", "/t/subscriptions/s/rules/r?api-version=2017-04", ""))
                .contains("<RuleDescription" + NAMESPACES + filter.replace("P1DT2H3M", "PT26H3M")
                        + "<CreatedAt>MOMENT</CreatedAt><Name>r</Name></RuleDescription>");
    }

    @Test
    void the_namespace_read() throws Exception {
        assertThat(ask("GET", "/$namespaceinfo?api-version=2017-04", ""))
                .isEqualTo("200 " + ATOM + "<id>https://HOST/$namespaceinfo?api-version=2017-04</id>"
                        + "<title type=\"text\">embedded</title><updated>MOMENT</updated>"
                        + "<author><name>embedded</name></author>"
                        + "<link rel=\"self\" href=\"https://HOST/$namespaceinfo?api-version=2017-04\"/>"
                        + "<content type=\"application/xml\"><NamespaceInfo" + NAMESPACES
                        + "<CreatedTime>MOMENT</CreatedTime><MessagingSKU>Premium</MessagingSKU><MessagingUnits>1</MessagingUnits>"
                        + "<ModifiedTime>MOMENT</ModifiedTime><Name>embedded</Name>"
                        + "<NamespaceType>Messaging</NamespaceType></NamespaceInfo></content></entry>");
    }

    @Test
    void a_refusal_says_its_status_and_why() throws Exception {
        assertThat(ask("DELETE", "/missing?api-version=2021-05", ""))
                .startsWith("404 <Error><Code>404</Code><Detail>")
                .endsWith("</Detail></Error>");
    }
}
