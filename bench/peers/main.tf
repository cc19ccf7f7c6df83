# The account with the provider for REST services in general: a page is its creation, its texts and its publication, since a resource is
# one call to make and one to read. What the API does not delete, and what ends with its page, is read in place of a deletion: the
# provider always makes a call.
terraform {
  required_providers {
    restapi = { source = "Mastercard/restapi" }
  }
}

variable "base_url" {
  type = string
}

variable "api_key" {
  type      = string
  sensitive = true
}

provider "restapi" {
  uri                  = var.base_url
  write_returns_object = true
  update_method        = "PATCH"
  headers = {
    Authorization  = "Bearer ${var.api_key}"
    "Content-Type" = "application/json"
  }
}

locals {
  account = jsondecode(file("${path.module}/account.json"))
  project = local.account.projects["mugs"]
}

resource "restapi_object" "project" {
  path           = "/projects"
  data           = jsonencode({ name = "mugs", description = local.project.description, context = local.project.context })
  destroy_method = "GET"
}

resource "restapi_object" "site" {
  path           = "/sites"
  data           = jsonencode({ name = "mugs.example", project_id = restapi_object.project.id })
  destroy_method = "GET"
}

resource "restapi_object" "page" {
  for_each    = local.account.pages
  path        = "/pages"
  create_path = "/pages/from-template"
  data        = jsonencode({ name = each.key, template_id = each.value.template, project_id = restapi_object.project.id })
}

resource "restapi_object" "content" {
  for_each       = local.account.pages
  path           = "/pages/content"
  object_id      = restapi_object.page[each.key].id
  create_method  = "PATCH"
  update_path    = "/pages/content"
  read_path      = "/search/page-content-map?page_id={id}"
  data           = jsonencode({ page_id = restapi_object.page[each.key].id, updates = each.value.content })
  destroy_method = "GET"
  destroy_path   = "/pages/{id}"
}

resource "restapi_object" "publication" {
  for_each    = local.account.pages
  path        = "/pages"
  object_id   = restapi_object.page[each.key].id
  create_path = "/pages/publish"
  data = jsonencode({
    page_id = restapi_object.content[each.key].id
    site_id = restapi_object.site.id
    slug    = each.value.publish.slug
  })
  destroy_method = "GET"
  lifecycle {
    replace_triggered_by = [restapi_object.content[each.key].data]
  }
}

resource "restapi_object" "product" {
  for_each = local.account.products
  path     = "/products"
  data     = jsonencode({ name = each.key, project_id = restapi_object.project.id, price = each.value.price, sku = each.value.sku })
}

resource "restapi_object" "funnel" {
  for_each = local.account.funnels
  path     = "/funnels"
  data = jsonencode({
    name       = each.key
    project_id = restapi_object.project.id
    pages = [for step in each.value.steps : step.pageType == "thankyou"
      ? { url = step.url, pageType = step.pageType }
      : { pageId = restapi_object.page[step.page].id, pageType = step.pageType }
    ]
  })
  destroy_method = "GET"
}
