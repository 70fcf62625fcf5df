package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.live.LiveRun;
import dev.waybill.servicebus.embedded.live.LiveTarget;
import dev.waybill.servicebus.embedded.live.NotApplicable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Cases that go through Azure's client library and so can run against any namespace: normally an embedded broker, new for
 * every case; in a live run, entities of their own elsewhere.
 */
public abstract class NamespaceCase {
    @RegisterExtension
    final LiveRun run = new LiveRun();

    protected @Nullable CaseNamespace opened;
    protected CaseNamespace bus;
    protected Clients clients;

    protected abstract EmbeddedServiceBusBuilder describe();

    @BeforeEach
    void start() {
        Optional<LiveTarget> target = run.target();
        opened = target.isPresent()
                ? new LiveCaseNamespace(run, target.get(), describe())
                : new EmbeddedCaseNamespace(describe());
        bus = opened;
        clients = new Clients(bus);
    }

    @AfterEach
    void stop() {
        if (opened == null) {
            return;
        }
        try {
            clients.close();
        } finally {
            opened.close();
        }
        if (opened instanceof LiveCaseNamespace live && live.untouched()) {
            run.notApplicable(new NotApplicable("asks nothing of the namespace"));
        }
    }
}
