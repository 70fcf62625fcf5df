package dev.waybill.standalone.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Gauges with one row for each tag value. Unknown rows are absent, because NaN would spoil every sum. */
final class GaugeRows {
    private final List<Rows<?>> gauges = new ArrayList<>();
    private final MeterRegistry registry;
    private final String database;

    GaugeRows(MeterRegistry registry, String database) {
        this.registry = registry;
        this.database = database;
    }

    /** A gauge with a row for each value of {@code tags}. */
    <T> Rows<T> of(String name, String unit, String description, Function<T, Tags> tags) {
        MultiGauge gauge = MultiGauge.builder(name)
                .tag("database", database)
                .baseUnit(unit.isEmpty() ? null : unit)
                .description(description)
                .register(registry);
        var rows = new Rows<>(gauge, tags);
        gauges.add(rows);
        return rows;
    }

    void hide() {
        gauges.forEach(Rows::hide);
    }

    static final class Rows<T> {
        private final MultiGauge gauge;
        private final Function<T, Tags> tags;

        Rows(MultiGauge gauge, Function<T, Tags> tags) {
            this.gauge = gauge;
            this.tags = tags;
        }

        void show(Iterable<? extends T> things, ToDoubleFunction<? super T> value) {
            // With equal tags, the last row wins.
            Map<Tags, Double> values = new LinkedHashMap<>();
            things.forEach(thing -> values.put(tags.apply(thing), value.applyAsDouble(thing)));
            gauge.register(
                    values.entrySet().stream()
                            .map(row -> MultiGauge.Row.of(row.getKey(), row.getValue()))
                            .toList(),
                    true);
        }

        void hide() {
            gauge.register(List.of(), true);
        }
    }
}
