package dev.waybill.servicebus.embedded;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.waybill.servicebus.embedded.live.LiveEntities;
import dev.waybill.servicebus.embedded.live.LiveRun;
import dev.waybill.servicebus.embedded.live.LiveTarget;
import dev.waybill.servicebus.embedded.live.NotApplicable;
import java.util.List;

/** Entities of one case in a namespace that others may use too. */
final class LiveCaseNamespace implements CaseNamespace {
    private final LiveRun run;
    private final LiveTarget target;
    private final LiveEntities entities;
    private boolean used;

    LiveCaseNamespace(LiveRun run, LiveTarget target, EmbeddedServiceBusBuilder described) {
        this.run = run;
        this.target = target;
        this.entities = new LiveEntities(target.administration(), described.queues(), described.topics());
    }

    /** Whether the case has ended without having asked anything of the namespace: then it has shown nothing. */
    boolean untouched() {
        return !used;
    }

    @Override
    public String name(String described) {
        used = true;
        try {
            return entities.name(described);
        } catch (NotApplicable why) {
            throw run.notApplicable(why);
        }
    }

    @Override
    public ServiceBusClientBuilder client() {
        return target.client();
    }

    @Override
    public ServiceBusAdministrationClient administration() {
        return target.administration();
    }

    @Override
    public EntityCounts inspect(String path) {
        return PeekedCounts.of(this, path);
    }

    @Override
    public List<String> ids(String path) {
        return PeekedCounts.of(this, path).ids();
    }

    @Override
    public EmbeddedServiceBus embedded(String why) {
        throw run.notApplicable(new NotApplicable(why));
    }

    @Override
    public void close() {
        entities.close();
    }
}
