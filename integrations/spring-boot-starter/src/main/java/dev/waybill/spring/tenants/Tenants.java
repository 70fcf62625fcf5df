package dev.waybill.spring.tenants;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** The listed tenants of a routing data source, each with a database of its own. Thread-safe. */
public final class Tenants {
    private static final Logger LOG = LoggerFactory.getLogger(Tenants.class);

    private final List<Tenant> all;

    private Tenants(List<Tenant> all) {
        this.all = all;
    }

    /**
     * The databases that the data source has for these keys.
     *
     * @param preparation what has to be done in each before it is used
     * @throws IllegalStateException if the data source does not route, or has no such key
     */
    public static Tenants of(DataSource routing, List<String> names, Consumer<DataSource> preparation) {
        Map<String, DataSource> known = targets(routing);
        var all = new ArrayList<Tenant>();
        for (String name : new LinkedHashSet<>(names)) {
            DataSource target = known.get(name);
            if (target == null) {
                throw new IllegalStateException(
                        "waybill.tenants names '" + name + "', and the data source has the keys " + known.keySet());
            }
            all.add(new Tenant(name, target, preparation));
        }
        return new Tenants(List.copyOf(all));
    }

    private static Map<String, DataSource> targets(DataSource routing) {
        var targets = new TreeMap<String, DataSource>();
        try {
            if (!routing.isWrapperFor(AbstractRoutingDataSource.class)) {
                throw new IllegalStateException("waybill.tenants needs a data source of type AbstractRoutingDataSource,"
                        + " whose keys are the tenants, and there is a "
                        + routing.getClass().getName());
            }
            routing.unwrap(AbstractRoutingDataSource.class)
                    .getResolvedDataSources()
                    .forEach((key, target) -> targets.put(String.valueOf(key), target));
        } catch (SQLException e) {
            throw new IllegalStateException("The data source does not name its targets", e);
        }
        return targets;
    }

    List<Tenant> all() {
        return all;
    }

    /**
     * Prepares every database that can be reached now. The relay prepares the others when it reaches them.
     *
     * @param isAway whether a failure says that the database could not be reached
     * @throws RuntimeException if a database refuses the preparation
     */
    public void prepare(Predicate<Throwable> isAway) {
        for (Tenant tenant : all) {
            try {
                tenant.prepare();
            } catch (SQLException | RuntimeException e) {
                if (!isAway.test(e)) {
                    throw new IllegalStateException(
                            "Waybill's tables of tenant '" + tenant.name() + "': " + e.getMessage(), e);
                }
                LOG.warn("The database of tenant '{}' cannot be reached; its tables wait for it", tenant.name(), e);
            }
        }
    }

    /** @throws IllegalStateException if no listed tenant has this database */
    void require(String url) {
        if (all.stream().map(Tenant::url).allMatch(known -> known != null && !known.equals(url))) {
            throw new IllegalStateException("This transaction is in the database " + url.replaceFirst("\\?.*", "")
                    + ", which belongs to none of waybill.tenants, "
                    + all.stream().map(Tenant::name).collect(Collectors.joining(", ", "[", "]"))
                    + ": the message would never be sent. Add the tenant to the list");
        }
    }
}
