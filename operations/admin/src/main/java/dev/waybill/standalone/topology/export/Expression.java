package dev.waybill.standalone.topology.export;

/** A value that is known only when the template is deployed. */
sealed interface Expression {
    String arm();

    String bicep();

    record Given(String name) implements Expression {
        @Override
        public String arm() {
            return "parameters('" + name + "')";
        }

        @Override
        public String bicep() {
            return name;
        }
    }

    record Times(String name, long factor) implements Expression {
        @Override
        public String arm() {
            return "mul(parameters('" + name + "'), " + factor + ")";
        }

        @Override
        public String bicep() {
            return name + " * " + factor;
        }
    }

    record Named(String suffix) implements Expression {
        @Override
        public String arm() {
            return "format('{0}-" + suffix + "', parameters('namespaceName'))";
        }

        @Override
        public String bicep() {
            return "'${namespaceName}-" + suffix + "'";
        }
    }

    record ResourceId(Resource resource) implements Expression {
        @Override
        public String arm() {
            return resource.armId();
        }

        @Override
        public String bicep() {
            return resource.symbol() + ".id";
        }
    }

    /** A stable, unique name of a grant. */
    record GrantName(Resource scope, String principal, String role) implements Expression {
        @Override
        public String arm() {
            return "guid(" + scope.armId() + ", parameters('" + principal + "'), '" + role + "')";
        }

        @Override
        public String bicep() {
            return "guid(" + scope.symbol() + ".id, " + principal + ", '" + role + "')";
        }
    }

    record RoleDefinition(String id) implements Expression {
        @Override
        public String arm() {
            return "subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '" + id + "')";
        }

        @Override
        public String bicep() {
            return arm();
        }
    }
}
