package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.TestService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties that are meant, in all the places where they can be given. */
@ExtendWith(TestService.Extension.class)
class LegitimatePropertiesTest {
    private final List<String> refused = new ArrayList<>();

    @Test
    void settings_that_exist_are_taken_wherever_and_however_they_are_given(TestService service, @TempDir Path folder) throws Exception {
        var files = new LinkedHashMap<String, String>();
        files.put("camel.properties", "waybill.autoStartup=false\nwaybill.destinations.orders.maximumSize=1MB\n");
        files.put("underscore.properties", "waybill.auto_startup=false\n");
        files.put("brackets.properties", "waybill.destinations[orders.v2].sessions=false\nwaybill.destinations.[a/b].sessions=false\nwaybill.relay.enabled=false\n");
        files.put("dots.yml", "waybill:\n  relay:\n    enabled: false\n  destinations:\n    '[orders.v2]':\n      sessions: false\n");
        files.put("servicebus-dash.properties", "waybill.service-bus.custom-endpoint-address=https://localhost:5671\n");
        files.put("tracing.properties", "waybill.tracing.enabled=false\n");
        files.put("health.properties", "management.health.waybill.enabled=false\n");
        files.put("placeholder.properties", "waybill.source=${NOT_THERE:shop}\nwaybill.relay.name=relay-${random.value}\n");
        files.put("empty-relay.yml", "waybill:\n  relay:\n");
        files.put("empty-destinations.yml", "waybill:\n  destinations:\n");
        files.put("empty-destinations-map.yml", "waybill:\n  destinations: {}\n");
        files.put("empty-consumers.yml", "waybill:\n  consumers:\n");
        files.put("empty-servicebus.yml", "waybill:\n  servicebus:\n");
        files.put("empty-waybill.yml", "waybill:\n");
        files.put("empty-destination-map.yml", "waybill:\n  relay:\n    enabled: false\n  destinations:\n    orders: {}\n");
        files.put("profiles.yml", "waybill:\n  auto-startup: false\n---\nspring:\n  config:\n    activate:\n      on-profile: other\nwaybill:\n  nonsense: true\n");
        files.put("dotenv.properties", "WAYBILL_AUTOSTARTUP=false\n");
        files.put("upper.properties", "WAYBILL.AUTO-STARTUP=false\n");
        Path tree = Files.createDirectories(folder.resolve("tree/waybill/relay"));
        Files.writeString(tree.resolve("enabled"), "false");
        Files.writeString(folder.resolve("tree/waybill.source"), "shop\n");
        files.put("configtree.properties", "spring.config.import=configtree:" + folder.resolve("tree") + "/\n");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.writeString(path, file.getValue());
            tried(file.getKey(), Apps.on(service).with("spring.config.location", path.toUri()));
        }
        System.setProperty("waybill.nonsense", "x");
        tried("system property", Apps.on(service));
        System.clearProperty("waybill.nonsense");
        tried("json", Apps.on(service).with("spring.application.json", "{\"waybill\":{\"autoStartup\":false}}"));
        refused.forEach(line -> System.out.println("## refused " + line));
        assertThat(refused).isEmpty();
    }

    private void tried(String what, Apps app) {
        try (var context = app.run()) {
            System.out.println("## ok " + what + " " + context.getBean(WaybillProperties.class).destinations().keySet());
        } catch (RuntimeException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            refused.add(what + ": " + String.valueOf(root.getMessage()).replace('\n', ' '));
        }
    }

    @Test
    void a_destination_with_defaults_alone_is_a_destination(TestService service, @TempDir Path folder) throws Exception {
        String queue = service.newQueue();
        Path file = folder.resolve("application.yml");
        Files.writeString(file, "waybill:\n  destinations:\n    " + queue + ": {}\n");
        try (var context = Apps.on(service).with("spring.config.location", file.toUri()).run()) {
            try {
                context.getBean(org.springframework.transaction.support.TransactionTemplate.class)
                        .executeWithoutResult(status -> context.getBean(Outbox.class)
                                .append(dev.waybill.outbox.OutboxMessage.to(queue).id("m").text("m").build()));
                System.out.println("## append to a destination of {} is taken");
            } catch (RuntimeException e) {
                System.out.println("## append to a destination of {}: " + e);
            }
            System.out.println("## relays " + context.getBeansOfType(RelayLifecycle.class).size() + " destinations " + context.getBean(WaybillProperties.class).destinations());
            assertThat(context.getBean(WaybillProperties.class).destinations()).containsKey(queue);
        }
    }
}
