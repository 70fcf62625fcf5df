package dev.waybill.servicebus.embedded.filter;

sealed interface Statement {

    void edit(EditedProperties properties);

    record Assign(PropertyReference target, Expression value) implements Statement {
        @Override
        public void edit(EditedProperties properties) {
            target.set(properties, value.original(properties));
        }
    }

    record Remove(PropertyReference target) implements Statement {
        @Override
        public void edit(EditedProperties properties) {
            target.remove(properties);
        }
    }
}
