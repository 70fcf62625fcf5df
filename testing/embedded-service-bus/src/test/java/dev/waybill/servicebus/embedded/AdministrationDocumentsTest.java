package dev.waybill.servicebus.embedded;

import static dev.waybill.servicebus.embedded.RawAdministration.CONNECT;
import static dev.waybill.servicebus.embedded.RawAdministration.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documents and addresses that the client library would not send: pages, orders of elements, names. */
@EmbeddedOnly("speaks HTTP without the client library")
class AdministrationDocumentsTest extends BusTest {
    private static final String FOREVER = "P10675199DT2H48M5.4775807S";
    private static final Pattern ENTRY = Pattern.compile("<entry");

    private RawAdministration admin;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("target")
                .topic("events", t -> t.subscription("all"))
                .administrationPort(0);
    }

    @BeforeEach
    void connect() {
        admin = new RawAdministration(bus);
    }

    private static long entries(String answer) {
        return ENTRY.matcher(answer).results().count();
    }

    private static String next(String answer) {
        var link = Pattern.compile("rel=\"next\" href=\"[^\"]*?/(\\$Resources[^\"]*)\"")
                .matcher(answer);
        return link.find() ? "/" + link.group(1).replace("&amp;", "&") : "";
    }

    @Test
    void a_number_beyond_all_limits_is_refused_by_its_name() throws Exception {
        for (String name : List.of("MaxDeliveryCount", "MaxSizeInMegabytes", "MaxMessageSizeInKilobytes")) {
            String beyond = "<" + name + ">" + Long.MAX_VALUE + "</" + name + ">";
            assertThat(admin.create("/beyond", queue(beyond)))
                    .startsWith("400 ")
                    .contains(name);
        }
    }

    @Test
    void a_page_of_nothing_has_no_next_page_that_is_itself() throws Exception {
        String page = admin.get("/$Resources/queues?$skip=0&$top=0");
        assertThat(page).startsWith("200 ");
        assertThat(entries(page)).isZero();
        assertThat(next(page)).isEmpty();
    }

    @Test
    void pages_of_less_than_nothing_or_of_no_number_are_refused_in_the_services_words() throws Exception {
        for (String wrong : List.of("-1", "99999999999", "x", "")) {
            assertThat(admin.get("/$Resources/queues?$top=" + wrong))
                    .startsWith("400 ")
                    .contains("Parameter 'top' should be non-negative integer");
            assertThat(admin.get("/events/Subscriptions?$skip=" + wrong + "&$top=-1"))
                    .startsWith("400 ")
                    .contains("Parameter 'skip' should be non-negative integer");
        }
    }

    @Test
    void a_page_beyond_the_end_is_empty_and_the_last() throws Exception {
        for (String skip : List.of("2", "3", "2147483647")) {
            String page = admin.get("/$Resources/queues?$skip=" + skip + "&$top=100");
            assertThat(page).as(skip).startsWith("200 ");
            assertThat(entries(page)).as(skip).isZero();
            assertThat(next(page)).as(skip).isEmpty();
        }
    }

    @Test
    void a_page_has_a_hundred_entities_at_most_and_the_pages_have_all() throws Exception {
        for (int i = 0; i < 201; i++) {
            bus.createQueue("q" + i, q -> q);
        }
        long all = 0;
        int pages = 0;
        for (String path = "/$Resources/queues?$top=2147483647"; !path.isEmpty(); pages++) {
            String page = admin.get(path);
            assertThat(entries(page)).isLessThanOrEqualTo(100);
            all += entries(page);
            path = next(page);
        }
        assertThat(all).isEqualTo(203);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void an_element_that_comes_twice_counts_the_first_time() throws Exception {
        String twice = "<LockDuration>PT30S</LockDuration><LockDuration>PT2M</LockDuration>"
                + "<MaxDeliveryCount>3</MaxDeliveryCount><MaxDeliveryCount>4</MaxDeliveryCount>";
        assertThat(admin.create("/made", queue(twice))).startsWith("201 ");
        assertThat(admin.get("/made"))
                .contains("<LockDuration>PT30S</LockDuration>")
                .contains("<MaxDeliveryCount>3</MaxDeliveryCount>");
    }

    @Test
    void an_element_that_comes_too_late_is_passed_over_as_the_service_does() throws Exception {
        String late = "<MaxDeliveryCount>3</MaxDeliveryCount><EnableExpress>false</EnableExpress>"
                + "<ForwardDeadLetteredMessagesTo>target</ForwardDeadLetteredMessagesTo><LockDuration>PT30S</LockDuration>";
        assertThat(admin.create("/made", queue(late))).startsWith("201 ");
        assertThat(admin.get("/made"))
                .contains("<MaxDeliveryCount>3</MaxDeliveryCount>", "<LockDuration>PT1M</LockDuration>")
                .doesNotContain("ForwardDeadLetteredMessagesTo");

        String inTime = "<ForwardDeadLetteredMessagesTo>target</ForwardDeadLetteredMessagesTo>"
                + "<EnableExpress>false</EnableExpress>";
        assertThat(admin.update("/made", queue(inTime)))
                .startsWith("200 ")
                .contains("<ForwardDeadLetteredMessagesTo>target<");
    }

    @Test
    void what_was_read_can_be_written_back_as_it_is() throws Exception {
        bus.update(
                "orders",
                q -> q.forwardTo("target").forwardDeadLettersTo("target").userMetadata("note"));
        String read = admin.get("/orders?api-version=2021-05");
        String description = read.substring(
                read.indexOf("<QueueDescription"),
                read.indexOf("</QueueDescription>") + "</QueueDescription>".length());
        assertThat(admin.update("/orders?api-version=2021-05", description))
                .startsWith("200 ")
                .contains("<ForwardTo>target<", "<ForwardDeadLetteredMessagesTo>target<", "<UserMetadata>note<");
    }

    @Test
    void elements_that_are_unknown_or_of_another_namespace_are_passed_over() throws Exception {
        String strange = "<Nonsense>1</Nonsense><LockDuration xmlns='urn:other'>PT30S</LockDuration>"
                + "<x:MaxDeliveryCount xmlns:x='http://schemas.microsoft.com/netservices/2010/10/servicebus/connect'>3"
                + "</x:MaxDeliveryCount>";
        assertThat(admin.create("/made", queue(strange))).startsWith("201 ");
        assertThat(admin.get("/made"))
                .contains("<LockDuration>PT1M</LockDuration>", "<MaxDeliveryCount>3</MaxDeliveryCount>")
                .doesNotContain("Nonsense");
    }

    @Test
    void a_description_of_another_namespace_is_refused() throws Exception {
        for (String wrong : List.of("<QueueDescription/>", "<QueueDescription xmlns='urn:other'/>")) {
            assertThat(admin.create("/made", wrong)).startsWith("400 ").contains("QueueDescription");
        }
        assertThat(admin.create("/events/Subscriptions/made", "<SubscriptionDescription/>"))
                .startsWith("400 ");
        assertThat(admin.create("/events/Subscriptions/all/Rules/made", "<RuleDescription/>"))
                .startsWith("400 ");
    }

    @Test
    void a_hundred_years_are_not_for_ever_and_more_than_the_longest_duration_is_refused() throws Exception {
        String lives = "<DefaultMessageTimeToLive>%s</DefaultMessageTimeToLive>";
        assertThat(admin.create("/long", queue(lives.formatted("P36500D")))).startsWith("201 ");
        assertThat(admin.get("/long")).contains("<DefaultMessageTimeToLive>PT876000H<");
        assertThat(admin.create("/cut", queue(lives.formatted("P10675199DT2H48M5.477539S"))))
                .contains(lives.formatted(FOREVER));
        assertThat(admin.create("/more", queue(lives.formatted("P10675200D")))).startsWith("400 ");
        assertThat(admin.create("/lock", queue("<LockDuration>P36500D</LockDuration>")))
                .startsWith("400 ")
                .contains("Lock duration");
        assertThat(admin.create("/idle", queue("<AutoDeleteOnIdle>P10675200D</AutoDeleteOnIdle>")))
                .startsWith("400 ");
    }

    @Test
    void years_and_months_in_durations_are_taken_as_dotnet_takes_them() throws Exception {
        String lives = "<DefaultMessageTimeToLive>P1Y2MT1H</DefaultMessageTimeToLive>";
        assertThat(admin.create("/made", queue(lives)))
                .startsWith("201 ")
                .contains("<DefaultMessageTimeToLive>" + Duration.ofDays(425).plusHours(1) + "<");
        assertThat(admin.create("/wrong", queue("<LockDuration>P" + "9".repeat(30) + "Y</LockDuration>")))
                .startsWith("400 ");
    }

    @Test
    void a_rules_value_that_is_not_of_its_type_is_a_bad_request() throws Exception {
        for (String type : List.of("int", "long", "double", "dateTime", "duration")) {
            String rule = "<RuleDescription " + CONNECT + " xmlns:i='http://www.w3.org/2001/XMLSchema-instance'>"
                    + "<Filter i:type='CorrelationFilter'><Properties><KeyValueOfstringanyType><Key>k</Key><Value"
                    + " i:type='d:" + type + "' xmlns:d='http://www.w3.org/2001/XMLSchema'>nonsense</Value>"
                    + "</KeyValueOfstringanyType></Properties></Filter></RuleDescription>";
            assertThat(admin.create("/events/Subscriptions/all/Rules/r", rule))
                    .as(type)
                    .startsWith("400 ");
        }
    }

    @Test
    void a_queue_may_be_called_health() throws Exception {
        assertThat(admin.create("/health?api-version=2021-05", queue(""))).startsWith("201 ");
        assertThat(admin.get("/health?api-version=2021-05")).contains("<title type=\"text\">health</title>");
        assertThat(admin.get("/health")).contains("healthy");
    }

    @Test
    void a_message_lives_for_a_hundred_years_and_no_longer() {
        bus.createQueue("centuries", q -> q.timeToLive(Duration.ofDays(36_500)));
        clients.sender("centuries").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofDays(36_499));
        assertThat(bus.inspect("centuries").active()).isEqualTo(1);
        bus.advance(Duration.ofDays(2));
        assertThat(bus.inspect("centuries").active()).isZero();
    }

    @Test
    void a_name_that_azure_would_refuse_is_refused_in_code_and_over_http() throws Exception {
        for (String name : List.of("a b<c&", "$management", "-a", "a-", "a/", "é", "a".repeat(261))) {
            EmbeddedServiceBusBuilder builder = EmbeddedServiceBus.builder();
            assertThatThrownBy(() -> builder.queue(name).start().close())
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no name of a queue or topic");
            assertThatThrownBy(() -> bus.createTopic(name, t -> t)).as(name).hasMessageContaining("is no name");
        }
        assertThatThrownBy(() -> bus.createTopic("t", t -> t.subscription("a/b")))
                .hasMessageContaining("is no name of a subscription");
        assertThat(admin.create("/a%20b", queue(""))).startsWith("400 ").contains("is no name");
        String subscription = "<SubscriptionDescription " + CONNECT + "/>";
        assertThat(admin.create("/events/Subscriptions/" + "s".repeat(51), subscription))
                .startsWith("400 ");
        String rule = "<RuleDescription " + CONNECT + "/>";
        assertThat(admin.create("/events/Subscriptions/all/Rules/a+b", rule)).startsWith("400 ");
    }

    @Test
    void every_name_that_azure_takes_is_taken() throws Exception {
        for (String name : List.of("a", "7", "txt/.-_123", "a~b", "a".repeat(260), "under_")) {
            assertThat(admin.create("/" + name.replace("/", "%2F"), queue("")))
                    .as(name)
                    .startsWith("201 ");
        }
        assertThat(admin.create(
                        "/events/Subscriptions/" + "s".repeat(50), "<SubscriptionDescription " + CONNECT + "/>"))
                .startsWith("201 ");
        String rule = "<RuleDescription " + CONNECT + "/>";
        assertThat(admin.create("/events/Subscriptions/all/Rules/r-1_2.3", rule))
                .startsWith("201 ");
        assertThat(admin.update("/events/Subscriptions/all/Rules/" + "$default", rule))
                .startsWith("200 ");
    }

    @Test
    void the_basic_tier_refuses_what_it_does_not_have_when_it_is_asked_for() {
        try (EmbeddedServiceBus basic = EmbeddedServiceBus.builder()
                .tier(Tier.BASIC)
                .queue("orders")
                .queue("target")
                .start()) {
            for (QueueOptions beyond : List.of(
                    QueueOptions.defaults().forwardTo("target"),
                    QueueOptions.defaults().timeToLive(Duration.ofDays(1)),
                    QueueOptions.defaults().autoDeleteOnIdle(Duration.ofHours(1)))) {
                assertThatThrownBy(() -> basic.createQueue("made", q -> beyond)).hasMessageContaining("'Basic' tier");
                assertThatThrownBy(() -> basic.update("orders", q -> beyond)).hasMessageContaining("'Basic' tier");
            }
        }
    }
}
