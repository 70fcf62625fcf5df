package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonSerializable;
import com.azure.resourcemanager.servicebus.fluent.models.RuleInner;
import com.azure.resourcemanager.servicebus.fluent.models.SBNamespaceInner;
import com.azure.resourcemanager.servicebus.fluent.models.SBQueueInner;
import com.azure.resourcemanager.servicebus.fluent.models.SBSubscriptionInner;
import com.azure.resourcemanager.servicebus.fluent.models.SBTopicInner;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waybill.standalone.topology.export.Export.Format;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ArmTemplateTest {
    private static final String ENTITIES = "Microsoft.ServiceBus/namespaces";

    private static final Map<String, Model> MODELS = Map.of(
            ENTITIES,
            SBNamespaceInner::fromJson,
            ENTITIES + "/queues",
            SBQueueInner::fromJson,
            ENTITIES + "/topics",
            SBTopicInner::fromJson,
            ENTITIES + "/topics/subscriptions",
            SBSubscriptionInner::fromJson,
            ENTITIES + "/topics/subscriptions/rules",
            RuleInner::fromJson);

    /**
     * Properties that came after the version of the API that the models are of: SBNamespaceProperties in
     * Azure/azure-rest-api-specs, specification/servicebus, 2024-01-01.
     */
    private static final Set<String> LATER = Set.of("/properties/minimumTlsVersion", "/properties/publicNetworkAccess");

    private final ArmDocument premium =
            ArmDocument.of(Declared.export(Declared.full("premium"), Format.ARM).text());

    @Test
    void every_property_is_one_of_azures_own_models_and_of_its_type() throws IOException {
        int checked = 0;
        for (JsonNode resource : premium.resources()) {
            Model model = MODELS.get(resource.get("type").asText());
            if (model != null) {
                JsonNode given = withoutEnvelope(premium.evaluated(resource));
                JsonNode understood = understood(model, given);
                for (String leaf : ArmDocument.leaves(given)) {
                    if (!LATER.contains(leaf)) {
                        assertThat(understood.at(leaf))
                                .as(resource.get("name") + leaf)
                                .isEqualTo(given.at(leaf));
                        checked++;
                    }
                }
            }
        }
        assertThat(checked).isGreaterThan(60);
    }

    @Test
    void the_models_notice_a_property_that_does_not_exist() throws IOException {
        ObjectNode queue = JsonNodeFactory.instance.objectNode();
        queue.putObject("properties").put("lockDurations", "PT1M");

        assertThat(understood(SBQueueInner::fromJson, queue)
                        .at("/properties/lockDurations")
                        .isMissingNode())
                .isTrue();
    }

    private static JsonNode withoutEnvelope(JsonNode resource) {
        return ((ObjectNode) resource).without(List.of("type", "apiVersion", "name", "dependsOn", "scope"));
    }

    private static JsonNode understood(Model model, JsonNode given) throws IOException {
        try (JsonReader reader = JsonProviders.createReader(given.toString())) {
            return new ObjectMapper().readTree(model.read(reader).toJsonString());
        }
    }

    @Test
    void entities_have_what_is_declared() {
        JsonNode orders = premium.properties(ENTITIES + "/queues", "orders");
        assertThat(orders.get("requiresSession").asBoolean()).isTrue();
        assertThat(orders.get("lockDuration").asText()).isEqualTo("PT2M");
        assertThat(orders.get("defaultMessageTimeToLive").asText()).isEqualTo("P7D");
        assertThat(orders.get("maxDeliveryCount").asInt()).isEqualTo(10);
        assertThat(orders.get("deadLetteringOnMessageExpiration").asBoolean()).isTrue();
        assertThat(orders.get("duplicateDetectionHistoryTimeWindow").asText()).isEqualTo("PT10M");
        assertThat(orders.get("forwardDeadLetteredMessagesTo").asText()).isEqualTo("grave/yard");
        JsonNode in = premium.properties(ENTITIES + "/queues", "orders-in");
        assertThat(in.get("enablePartitioning").asBoolean()).isTrue();
        assertThat(in.get("deadLetteringOnMessageExpiration").asBoolean()).isFalse();
        assertThat(premium.properties(ENTITIES + "/queues", "orders.in")
                        .get("requiresDuplicateDetection")
                        .asBoolean())
                .isFalse();
        assertThat(premium.properties(ENTITIES + "/queues", "grave~yard")
                        .get("maxMessageSizeInKilobytes")
                        .asInt())
                .isEqualTo(2_048);
        assertThat(premium.properties(ENTITIES + "/topics/subscriptions", "all")
                        .get("forwardTo")
                        .asText())
                .isEqualTo("orders-in");
    }

    @Test
    void a_hostile_filter_comes_out_as_data_and_the_default_rule_lets_nothing_in() {
        String rules = ENTITIES + "/topics/subscriptions/rules";
        assertThat(premium.properties(rules, "hostile")
                        .at("/sqlFilter/sqlExpression")
                        .asText())
                .isEqualTo(Declared.HOSTILE);
        assertThat(premium.properties(rules, "brackets")
                        .at("/sqlFilter/sqlExpression")
                        .asText())
                .isEqualTo(Declared.BRACKETS);
        assertThat(premium.resources(rules))
                .filteredOn(rule -> rule.get("name").asText().contains("$Default"))
                .extracting(
                        rule -> rule.at("/properties/sqlFilter/sqlExpression").asText())
                .containsExactly("1=0", "a = 1");
    }

    @Test
    void the_default_rule_does_not_close_before_the_declared_rules_are_there() {
        JsonNode closing = premium.resources(ENTITIES + "/topics/subscriptions/rules").stream()
                .filter(rule -> rule.get("name").asText().contains("'fraud', '$Default'"))
                .findFirst()
                .orElseThrow();

        assertThat(closing.get("dependsOn").toString()).contains("'hostile')", "'brackets')");
    }

    @Test
    void whatever_is_referred_to_is_in_the_template_and_stands_before() {
        var known = new TreeSet<String>();
        for (JsonNode resource : premium.resources()) {
            resource.path("dependsOn").forEach(id -> assertThat(known).contains(id.asText()));
            assertThat(known.add("[" + ArmDocument.id(resource) + "]"))
                    .as("twice: " + resource.get("name"))
                    .isTrue();
        }
        JsonNode inbound = premium.resources(ENTITIES + "/queues").stream()
                .filter(queue -> queue.get("name").asText().contains("'inbound'"))
                .findFirst()
                .orElseThrow();
        assertThat(inbound.get("dependsOn").toString()).contains("'orders-in'");
    }

    @Test
    void roles_are_for_single_entities_and_nobody_is_an_owner() {
        List<JsonNode> roles = premium.resources("Microsoft.Authorization/roleAssignments");

        assertThat(roles).allSatisfy(role -> {
            assertThat(role.get("scope").asText()).containsAnyOf("/queues'", "/topics'", "/subscriptions'");
            assertThat(role.at("/properties/roleDefinitionId").asText())
                    .containsAnyOf("69a216fc-b8fb-44d8-bc22-1f3c2cd27a39", "4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0");
        });
        assertThat(roles)
                .extracting(role -> role.at("/properties/principalId").asText() + " "
                        + role.get("scope").asText())
                .contains(
                        "[parameters('relayPrincipalId')] [resourceId('Microsoft.ServiceBus/namespaces/topics',"
                                + " parameters('namespaceName'), 'events')]",
                        "[parameters('consumer_ledger_PrincipalId')]"
                                + " [resourceId('Microsoft.ServiceBus/namespaces/queues', parameters('namespaceName'), 'orders')]");
        assertThat(roles)
                .filteredOn(
                        role -> role.at("/properties/roleDefinitionId").asText().contains("4f6d3b9b"))
                .filteredOn(role -> role.get("scope").asText().matches(".*'orders(-in)?'\\).*"))
                .as("the consumer of orders, that of orders-in, and the relay that collects the dead letters there")
                .hasSize(3);
        assertThat(premium.parameters().toString()).doesNotContain("090c5cfd");
    }

    @Test
    void nobody_gets_a_role_for_what_has_the_same_name_in_another_namespace() {
        ArmDocument one = ArmDocument.of(Declared.export("""
                namespace: { one: { host: one-test.servicebus.windows.net }, two: { host: two-test.servicebus.windows.net } }
                destination:
                  here: { namespace: one, entity: orders }
                  there: { namespace: two, entity: orders }
                database:
                  main: { url: "jdbc:postgresql://nowhere/x", namespace: two, collect: there }
                consumer: { ledger: { entity: there } }
                """, Format.ARM).text());

        assertThat(one.resources("Microsoft.Authorization/roleAssignments"))
                .extracting(role -> role.at("/properties/principalId").asText())
                .containsExactly("[parameters('relayPrincipalId')]", "[parameters('consumersPrincipalId')]");
    }

    @Test
    void six_kinds_of_alerts_watch_the_namespace() {
        List<JsonNode> alerts = premium.resources("Microsoft.Insights/metricAlerts");
        var metrics = new TreeSet<String>();
        alerts.forEach(alert -> alert.at("/properties/criteria/allOf").forEach(criterion -> {
            metrics.add(criterion.get("metricName").asText());
            assertThat(alert.at("/properties/actions/0/actionGroupId").asText())
                    .isEqualTo("[parameters('actionGroupId')]");
        }));

        assertThat(metrics)
                .containsExactly(
                        "ActiveMessages",
                        "DeadletteredMessages",
                        "IncomingMessages",
                        "OutgoingMessages",
                        "ServerErrors",
                        "Size",
                        "ThrottledRequests");
        assertThat(premium.parameters().at("/backlog_queue_orders/defaultValue").asInt())
                .isPositive();
        assertThat(alerts)
                .filteredOn(alert -> alert.get("name").asText().contains("fills-queue-orders"))
                .first()
                .extracting(alert ->
                        alert.at("/properties/criteria/allOf/0/threshold").asText())
                .isEqualTo("[mul(parameters('maxSizeInMegabytes'), 838860)]");
    }

    @Test
    void only_premium_is_shut_off_from_the_public_network() {
        ArmDocument standard = ArmDocument.of(
                Declared.export(Declared.full("standard"), Format.ARM).text());

        JsonNode shut = premium.resources(ENTITIES).get(0).get("properties");
        assertThat(shut.get("publicNetworkAccess").asText()).isEqualTo("Disabled");
        assertThat(shut.get("disableLocalAuth").asBoolean()).isTrue();
        assertThat(shut.get("minimumTlsVersion").asText()).isEqualTo("1.2");
        assertThat(premium.resources("Microsoft.Network/privateEndpoints")).hasSize(1);
        assertThat(premium.resources("Microsoft.Network/privateDnsZones")).hasSize(1);
        JsonNode open = standard.resources(ENTITIES).get(0).get("properties");
        assertThat(open.get("publicNetworkAccess").asText()).isEqualTo("Enabled");
        assertThat(open.get("disableLocalAuth").asBoolean()).isTrue();
        assertThat(standard.resources("Microsoft.Network/privateEndpoints")).isEmpty();
        assertThat(standard.properties(ENTITIES + "/queues", "grave~yard").has("maxMessageSizeInKilobytes"))
                .isFalse();
    }

    /** Azure refuses to change it, and decides by itself where the region has zones. */
    @Test
    void a_redeploy_over_a_namespace_without_zones_is_not_refused() {
        for (Format format : Format.values()) {
            assertThat(Declared.export(Declared.full("premium"), format).text())
                    .as(format.name())
                    .doesNotContainIgnoringCase("zoneRedundant")
                    .doesNotContainIgnoringCase("zone-redundant")
                    .doesNotContainIgnoringCase("zone_redundant");
        }
    }

    @Test
    void partitioned_entities_of_premium_are_told_with_the_namespace_that_they_need() {
        assertThat(Declared.export(Declared.full("premium"), Format.ARM).warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .contains("several messaging partitions has partitioned entities only", "single partition"));
        assertThat(Declared.export(Declared.full("standard"), Format.ARM).warnings())
                .noneSatisfy(warning -> assertThat(warning).contains("partition"));
    }

    @FunctionalInterface
    private interface Model {
        JsonSerializable<?> read(JsonReader reader) throws IOException;
    }
}
