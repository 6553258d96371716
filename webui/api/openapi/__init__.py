"""The interface described by OpenAPI, made from the types it takes and answers."""
